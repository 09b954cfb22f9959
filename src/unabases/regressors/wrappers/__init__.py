"""What estimators around a regressor share, and how they choose how wide its predictions should be."""
