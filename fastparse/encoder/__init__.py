"""Small neural encoders computing in bytes: arrays, kernels, scores of states."""
