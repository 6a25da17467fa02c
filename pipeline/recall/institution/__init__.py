"""What the next run on an asset is told of earlier ones (R5's Phase 0).

Reading order: `block` (the text for a prompt), `retrospect` (read it, and keep what was told).
"""
