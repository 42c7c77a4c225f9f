"""Tests of fastparse.oracles."""
