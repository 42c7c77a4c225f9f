"""Tests of fastparse.evaluation."""
