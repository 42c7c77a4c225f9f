"""Tests of fastparse."""
