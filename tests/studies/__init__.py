"""Tests of fastparse.studies."""
