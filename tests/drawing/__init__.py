"""Tests of fastparse.drawing."""
