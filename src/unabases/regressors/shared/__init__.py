"""What regressors of all kinds share: the contract, parameters, rows, weights, scales and saved states."""
