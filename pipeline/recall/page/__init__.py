"""All that is known about one asset, compiled into one page."""
