"""Read surfaces over several areas: search, lessons, prompts, pages."""
