"""A digest that two facts share only if one restates the other exactly."""

from hashlib import blake2b

from afterword.pipeline.domain.facts.normalise import normal_form, plain
from afterword.pipeline.rules.entities.entities import extract_entities

_BYTES = 16


def fingerprint(text: str) -> str:
    """Return the digest of a statement's normal form and its entities.

    The normal form keeps every word and number, so side, negation and language agree where it
    does. Entities are told by their case, which it drops: `link` is no LINK.
    """
    written = plain(text)
    entities = [f"{entity.kind}:{entity.key}" for entity in extract_entities(written)]
    said = "\n".join([normal_form(written), *entities])
    return blake2b(said.encode(), digest_size=_BYTES).hexdigest()
