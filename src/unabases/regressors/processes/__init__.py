"""Gaussian processes: kernels, exact posteriors, and draws of functions."""
