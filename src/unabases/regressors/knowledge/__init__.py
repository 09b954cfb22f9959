"""What users know of a function, told to a network: its terms, from the list to layers and draws."""
