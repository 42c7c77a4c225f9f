"""Tests of the oracles."""
