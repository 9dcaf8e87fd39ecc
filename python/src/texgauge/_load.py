"""Loads the C code so that it can be used after a fork.

GLib before 2.76 allocates from pools behind a lock. Another thread may hold that lock while a
thread forks, and in the child nobody would ever release it. The lock of malloc() survives a fork,
so GLib is told to use malloc(); it looks at the environment once, when it is loaded.
"""

import os

_before = os.environ.get("G_SLICE")
os.environ["G_SLICE"] = "always-malloc"
try:
    import texgauge._core  # noqa: F401
finally:
    if _before is None:
        del os.environ["G_SLICE"]
    else:
        os.environ["G_SLICE"] = _before
