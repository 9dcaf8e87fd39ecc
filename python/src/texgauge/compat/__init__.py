"""Stand-ins for other programs' metrics, called as those are."""
