"""Tests of hooks, each skipped where its library is not installed; see ./dev check integrations."""
