"""Secrets out of texts, before they are kept or shown: `mask` a text, `mask_json` a JSON value.

Reading order: `finding` (what is found, and its marker), `mask`, `scan` and `seen` (who looks, what
makes a text worth a look, and what is looked at), then a file per family: `vendors` (tokens with a
grammar), `labels`, `credentials` and `labelled` (what only a label gives away), `urls`, `pem`,
`phrases` (BIP-39), `base58` and `wallets` (keys that prove themselves), `evm` (digits that the
words around make a key), last `fields` (JSON).
"""

from afterword.pipeline.rules.masking.fields import mask_json
from afterword.pipeline.rules.masking.finding import Secret
from afterword.pipeline.rules.masking.mask import mask
from afterword.pipeline.rules.masking.scan import findings

__all__ = ["Secret", "findings", "mask", "mask_json"]
