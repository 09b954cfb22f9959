"""Long tests, run by `make torture` for as long as you like: mutated files, and processes that are killed."""
