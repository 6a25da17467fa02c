"""Remove secrets from texts before they are stored or shown: `mask` a text, `mask_json` a JSON
value.

Reading order: `finding` (a secret and its marker), `mask`, `scan`, `visible` and `unescaped` (which
detectors run, and on which forms of the text), then one file per family: `vendors` (tokens with a
grammar), `prefixed` (random words whose prefix is a label), `labels`, `values`, `credentials` and
`labelled` (secrets beside a label), `otp` (one-time passwords), `urls`, `pem`, `phrases`
and `labelled_phrases` (BIP-39), `wallets` (keys with a checksum or their public half), `evm`
(digits that nearby words make a key), last `fields` (JSON), `shown` (a text in an error, an error
in a log) and `near` (a secret with slips, in the place of a name).
`fields` and `scan` use `lower`.
"""

from afterword.pipeline.rules.masking.fields import mask_json
from afterword.pipeline.rules.masking.finding import Secret
from afterword.pipeline.rules.masking.mask import mask
from afterword.pipeline.rules.masking.near import is_near_secret
from afterword.pipeline.rules.masking.scan import findings
from afterword.pipeline.rules.masking.shown import shown, told, trace

__all__ = ["Secret", "findings", "is_near_secret", "mask", "mask_json", "shown", "told", "trace"]
