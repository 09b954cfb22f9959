"""Pictures of models and results; the only package, besides the paper, that uses Matplotlib."""
