"""Tests of fastparse.transition_systems."""
