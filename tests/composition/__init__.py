"""Tests of fastparse.composition."""
