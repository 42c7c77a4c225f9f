"""Scores, breakdowns and significance."""
