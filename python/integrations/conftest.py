"""Tests of hooks, each skipped where its library is not installed; see ./dev check integrations."""


def pytest_configure(config):
    """anyio's streams that inspect_ai leaves open are noticed in the middle of another test."""
    config.addinivalue_line("filterwarnings", "ignore:Unclosed <MemoryObject:ResourceWarning")
