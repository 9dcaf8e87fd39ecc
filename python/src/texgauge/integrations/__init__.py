"""Metrics for other libraries; each file imports its library, so import only what you use."""
