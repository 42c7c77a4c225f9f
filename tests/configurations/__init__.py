"""Tests of fastparse.configurations."""
