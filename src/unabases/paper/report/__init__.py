"""The report: stored results as tables, figures and claims beside the paper's numbers."""
