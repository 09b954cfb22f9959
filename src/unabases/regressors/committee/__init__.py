"""What makes UNA's committee: its members, what they choose by the rows that they left out, and its predictions."""
