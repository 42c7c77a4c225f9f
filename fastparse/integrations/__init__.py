"""Adapters to other libraries; they import those lazily."""
