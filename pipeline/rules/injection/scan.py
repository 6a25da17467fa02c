"""Scan a text for orders to the agent."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from afterword.pipeline import local_model
from afterword.pipeline.expression import expression
from afterword.pipeline.rules.injection import chinese, english, european, finance, markers, russian
from afterword.pipeline.rules.injection.finding import LEARNED, MAX_PHRASE, InjectionFinding
from afterword.pipeline.rules.injection.learned_model import CHEAP_WORDS
from afterword.pipeline.rules.injection.readings import (
    Reading,
    hidden_characters,
    learn_vocabulary,
    readings,
    turned,
)
from afterword.pipeline.rules.injection.records import words_of_record
from afterword.pipeline.rules.injection.rule import Rule
from afterword.pipeline.rules.text.line import one_line
from afterword.pipeline.rules.text.words import word_set

if TYPE_CHECKING:
    from afterword.pipeline.rules.injection.learned import Likeliest

_SHORT_CHARS: Final = 500
"""Characters of a text that is read as a prompt prints it too: a longer one has emoji by right."""

_PIECE: Final = 7
"""Characters of a sentence, on average, of a text that somebody cut into pieces."""

_FEW_CHARS: Final = 12
"""Characters of a text that may be turned: of fewer nothing can be said."""

_FEW_CONCEPTS: Final = 3
"""Concepts that a text names once it is turned back, beside twice those before: fewer are chance."""

_ENOUGH: Final = 2
"""Sum of strengths that flags a text."""

_IDEOGRAPH: Final = expression("[\u3041-\u30ff\u3400-\u9fff]")
_CYRILLIC: Final = expression("[\u0400-\u04ff]")
_BREAK: Final = expression(r"\r?\n")
_HALF_WORD: Final = expression("[a-z][\u0370-\u058f]|[\u0370-\u058f][a-z]")

COMMON_WORDS: Final = word_set("""
    . : the a an of to in into on at for from with and or but is are was were be has have had do
    does not no it its this that these those i me my you your we they them their all any every each
    what when if as so now then first one only here there up out off over more can will may must
    should user always never before after above below buy sell trade trades position stop loss
    price 1 0 100 us say said use set take get give make like go day note keep move rate position
    wallet book more around negative new show long short btc eth sol xrp doge avax link usdc usdt
""")
"""Words so frequent that they must not decide which patterns are tried."""

# A denial or a subject other than `you` shortly before an order makes it a true memory:
# "never ignore the stop", "I ignore weekend news"; "the exchange lifted the leverage limit"; so does
# a word that tells of others or quotes: "does the bot ignore", "asking customers to", "lines like".
_HARMLESS_BEFORE: Final = expression(
    r" (?:never|not|dont|cannot|cant|doesnt|didnt|i|we|he|she|they|who|why|how|avoid|nunca|no|jamais"
    r"|pas|nie|niemals|никогда|не|нельзя|wouldnt|shouldnt|without|would|could|might|does|did)"
    r"(?: [^ .:]+){0,2}$"
    r"| (?:ask|tell|urg|push|trick)(?:s|ed|ing)? (?:customers|users|people|clients|victims|traders) to$"
    r"| (?:something|anything|phrases|sentences|lines|strings) like$"
    r"|(?: exchange| venue| broker| regulator| protocol)(?: has| have| had)?$"
)


def scan(text: str, *, by_meaning: bool) -> tuple[InjectionFinding, ...]:
    """Return the findings of the first reading of a text that has any: `scan_for_injection`."""
    seen = list(readings(text))
    is_transcript = markers.is_transcript(text)
    if findings := _by_rules(text, seen, is_transcript=is_transcript):
        return findings
    if sentence := _weighed(text, seen, by_meaning=by_meaning):
        return (InjectionFinding(LEARNED, sentence[:MAX_PHRASE]),)
    if seen[0].is_disguised and len(text) <= _SHORT_CHARS and not is_transcript:
        printed = one_line(text)
        joined = " ".join(filter(None, _BREAK.sub(" ", text).split(" ")))
        if printed != joined:  # what hides in a text may stand for a space in a prompt
            return scan(printed, by_meaning=by_meaning)
        if printed != text:  # the lines of a list are one that nobody wrote: no sentence to weigh
            return _by_rules(printed, readings(printed), is_transcript=False)
    return ()


def _by_rules(
    text: str, seen: Iterable[Reading], *, is_transcript: bool
) -> tuple[InjectionFinding, ...]:
    """Return what the rules find in the first reading that they find anything in."""
    hidden = hidden_characters(text)
    findings = [InjectionFinding("obfuscated", hidden)] if hidden else []
    for reading in seen:
        for family, phrase in _findings(reading, is_transcript=is_transcript):
            shown = "obfuscated" if reading.is_disguised else family
            findings.append(InjectionFinding(shown, phrase[:MAX_PHRASE]))
        if findings:
            break
    return tuple(dict.fromkeys(findings))


def _weighed(text: str, seen: Sequence[Reading], *, by_meaning: bool) -> str:
    """Return what the learned arm takes for an order in a text; "" if nothing.

    Args:
        seen: the readings of the text.
    """
    values = words_of_record(text)
    if values is None:
        return _of_readings(seen, by_meaning=by_meaning)
    # The names of a fill in JSON, one after the other, are no sentence that anybody wrote.
    orders = (_of_readings(list(readings(value)), by_meaning=by_meaning) for value in values)
    return next(filter(None, orders), "")


def _of_readings(seen: Sequence[Reading], *, by_meaning: bool) -> str:
    orders = (
        _learned(reading, suspect, by_meaning=by_meaning) for reading, suspect in _suspects(seen)
    )
    return next(filter(None, orders), "")


def _suspects(seen: Sequence[Reading]) -> Iterator[tuple[Reading, "Likeliest"]]:
    """Yield the readings that may hold an order, with the part of each that reads most like one."""
    first = seen[0]
    is_unknown, concepts_of_first = False, 0
    for reading in seen:
        if not _is_weighed(reading, first):
            continue
        suspect = _likeliest(reading)
        if reading is first:
            is_unknown = _is_unknown(first, suspect)
            concepts_of_first = suspect.concepts if suspect else 0
        if suspect:
            yield reading, suspect
    if not is_unknown:
        return
    enough = _FEW_CONCEPTS + 2 * concepts_of_first
    for reading in turned(first):
        suspect = _likeliest(reading)
        # Of a text that is turned by mistake nobody knows the words either.
        if suspect and not suspect.is_strange and suspect.concepts >= enough:
            yield reading, suspect


def _is_unknown(first: Reading, suspect: "Likeliest | None") -> bool:
    """Say whether nobody knows the words of a text: it may be read backwards, or with other letters.

    Args:
        suspect: what the concepts say of it; None if no word of it is one of an order.
    """
    if len(first.text) > _SHORT_CHARS or len(first.text) < _FEW_CHARS:
        return False
    if suspect is None:
        if not COMMON_WORDS.isdisjoint(_bare(first)):
            return False
        from afterword.pipeline.rules.injection.learned import likeliest

        suspect = likeliest(first.line)
    return suspect.is_strange or (suspect.concepts <= 1 and bool(_IDEOGRAPH.search(first.line)))


def _is_weighed(reading: Reading, first: Reading) -> bool:
    """Say whether the learned arm reads a reading: a disguised one must be a text of its own."""
    if reading.is_run_on:
        # The lines of a list, read as one sentence, are one that nobody wrote; single words are not.
        is_cut = sum(map(len, first.words)) <= _PIECE * (first.words.count(".") + 1)
        return is_cut and not _IDEOGRAPH.search(first.line)
    if reading is first or not reading.is_disguised:
        return True
    # Look-alikes are undone letter by letter: of a text in Russian that leaves half words.
    return not _HALF_WORD.search(reading.line) and _bare(reading) != _bare(first)


def _bare(reading: Reading) -> list[str]:
    return [word for word in reading.words if word not in ".:"]


def _likeliest(reading: Reading) -> "Likeliest | None":
    """Return what concepts say of a reading; None if no word of it is one of an order."""
    if reading.line.isascii() and CHEAP_WORDS.isdisjoint(reading.words):
        return None  # most texts end here
    # Imported here: the lexicons take longer to load than all the rules.
    from afterword.pipeline.rules.injection.learned import likeliest

    return likeliest(reading.line, is_hidden=reading.is_hidden)


def _learned(reading: Reading, suspect: "Likeliest", *, by_meaning: bool) -> str:
    """Return the words of a reading that the learned arm takes for an order; "" if none."""
    from afterword.pipeline.rules.injection.learned import GATE, GATE_OF_DISGUISED

    is_looked_at = suspect.concepts > 1 and suspect.reached >= (
        GATE if reading.seen or reading.is_hidden else GATE_OF_DISGUISED
    )
    if suspect.is_strange:
        # A text that was undone by mistake makes no sense, and may mean anything.
        is_looked_at = not reading.is_disguised or (is_looked_at and not reading.is_hidden)
    if by_meaning and is_looked_at and local_model.works():
        from afterword.pipeline.rules.injection.meaning import find

        return find(reading, suspect)
    return suspect.words if suspect.reached > 1 else ""


def _findings(reading: Reading, *, is_transcript: bool = False) -> list[InjectionFinding]:
    """Return the findings of one reading."""
    findings = chinese.find(reading.text) if not reading.text.isascii() else []
    if marker := markers.find(reading.text, is_transcript=is_transcript):
        findings.append(InjectionFinding("markers", " ".join(marker.split())))
    is_cyrillic = not reading.text.isascii() and _CYRILLIC.search(reading.text)
    if not is_cyrillic and not _possible(reading.words):
        return findings  # no sentence has what all of them together lack
    weak_before: list[InjectionFinding] = []
    for words in _sentences(reading.words):
        possible = _possible(words)
        if is_cyrillic:
            possible += tuple(
                rule for rule in russian.RUSSIAN_RULES if _has_all(rule.needed, words)
            )
        if not possible:
            weak_before = []
            continue
        strong: list[InjectionFinding] = []
        weak: list[InjectionFinding] = []
        for rule, phrase in _matches(possible, f" {' '.join(words)} "):
            is_strong = rule.strength >= _ENOUGH
            (strong if is_strong else weak).append(InjectionFinding(rule.family, phrase))
        together = dict.fromkeys((*weak_before, *weak))
        if strong or len(together) >= _ENOUGH:
            findings += (*strong, *together)
        weak_before = weak
    return findings


def _sentences(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words of each sentence, with its dot: no pattern reaches further."""
    start = 0
    for _ in range(words.count(".")):
        end = words.index(".", start) + 1
        yield words[start:end]
        start = end
    if start < len(words):
        yield words[start:]


def _possible(words: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules that words allow, by their rarest words first: for most texts, none."""
    rare = _RARE_WORDS.intersection(words)
    places = {
        at
        for word in rare
        if not _BESIDE[word].isdisjoint(words)
        for at in _BY_RARE_WORD[word]
        if _has_all(_OTHERS[at], words)
    }
    return tuple(_LATIN[at] for at in sorted(places)) if places else ()


def _has_all(needed: Sequence[frozenset[str]], present: Sequence[str]) -> bool:
    # Written out: this runs for every text.
    for words in needed:  # noqa: SIM110
        if words.isdisjoint(present):
            return False
    return True


def _matches(possible: Sequence[Rule], line: str) -> Iterator[tuple[Rule, str]]:
    for rule in possible:
        if phrase := _phrase(rule, line):
            yield rule, phrase


def _phrase(rule: Rule, words: str) -> str:
    for match in rule.pattern.finditer(words):
        if not (rule.is_order and _HARMLESS_BEFORE.search(words[: match.start()][-60:])):
            return match[0].strip()
    return ""


def _commonness(words: frozenset[str]) -> int:
    return len(words) + 50 * len(words & COMMON_WORDS)


# The rarest set of words of a rule comes first: it mostly decides.
_LATIN: Final = tuple(
    rule._replace(needed=tuple(sorted(rule.needed, key=_commonness)))
    for rule in (*english.ENGLISH_RULES, *finance.FINANCE_RULES, *european.EUROPEAN_RULES)
)


def _by_rare_word() -> dict[str, tuple[int, ...]]:
    index: dict[str, list[int]] = {}
    for at, rule in enumerate(_LATIN):
        for word in rule.needed[0]:
            index.setdefault(word, []).append(at)
    return {word: tuple(places) for word, places in index.items()}


_BY_RARE_WORD: Final = _by_rare_word()
_RARE_WORDS: Final = frozenset(_BY_RARE_WORD)
_OTHERS: Final = tuple(rule.needed[1:] for rule in _LATIN)
"""What a rule of `_LATIN` needs beside a word of its rarest set."""
_BESIDE: Final = {
    word: frozenset[str]().union(*(next(iter(_OTHERS[at]), {word}) for at in places))
    for word, places in _BY_RARE_WORD.items()
}
"""By rare word, those of which one must be there too: none of its rules matches without."""
learn_vocabulary(
    frozenset(
        word
        for rule in (*english.ENGLISH_RULES, *finance.FINANCE_RULES)
        for needed in rule.needed
        for word in needed
    )
)
