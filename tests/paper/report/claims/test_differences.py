"""A claim that does not hold says what differs."""
