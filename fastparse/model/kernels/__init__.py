"""Sums of compiled weights, per set of vector instructions."""
