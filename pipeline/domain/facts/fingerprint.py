"""A digest that two facts share only if they are the same statement."""

from hashlib import blake2b

from afterword.pipeline.domain.facts.normalise import normal_form, plain
from afterword.pipeline.rules.entities.entities import extract_entities

_BYTES = 16


def fingerprint(text: str) -> str:
    """Return the digest of a statement's normal form and its entities.

    The normal form keeps every word and number, so side, negation and language agree if it does.
    It drops the case that marks entities (`link` is not LINK), so they are added.
    """
    written = plain(text)
    entities = [f"{entity.kind}:{entity.key}" for entity in extract_entities(written)]
    statement = "\n".join([normal_form(written), *entities])
    return blake2b(statement.encode(), digest_size=_BYTES).hexdigest()
