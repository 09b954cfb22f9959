"""Regressors that train networks: how features are learned, and the exact last layers on top of them."""
