"""Tests of fastparse.annotate."""
