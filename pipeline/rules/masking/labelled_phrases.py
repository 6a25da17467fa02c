"""Recovery phrases behind a label: split, cut short, or with a mistyped word.

Without a label only a checksum distinguishes a phrase from prose (`phrases`). Near a label eleven
words of one list are enough, since prose is full of small words that no list has.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.finding import MARKER, Secret
from afterword.pipeline.rules.masking.phrases import SIZES, Token, joins, tokens_of, word_lists
from afterword.pipeline.rules.text.words import any_of, word_set

FEWEST_PHRASE_WORDS: Final = 11
"""Words of one list near a label that count as a phrase: the shortest phrase minus one word."""

_LEAST_TOGETHER: Final = 4  # least words in one piece of a split phrase
_LEAST_DISTINCT: Final = 8
_REACH: Final = 12  # most words between a label and its phrase, or between two pieces
_LONGEST_GAP: Final = 80  # most characters between two words, such as the lines of a table

_WHOSE: Final = (
    r"seed|recovery|recover|back[\s_-]?up|mnemonic|wallet|bip[\s_-]?39|ledger|trezor|metamask|phantom"
    r"|secret|1[258]|21|24|twelve|twenty[\s-]four"
)
_LABEL: Final = expression(
    rf"""(?x)
    (?<!masked:)(?<![a-z])
    (?: (?:{_WHOSE}) [\s_-]{{0,2}} (?:recovery[\s_-]?|seed[\s_-]?|secret[\s_-]?)?
        (?:phrases?|words?|word[\s_-]?lists?|mnemonics?|seeds?) (?![a-z])
      | mnemonics? (?![a-z])
      | seed (?=\s{{0,3}}(?:[:=]|is\s))
      | wiederherstellungs(?:phrase|w[öo]rter|satz) | merkphrase | mnemonische\s(?:phrase|w[öo]rter)
      | frases?\s(?:de\s)?(?:semilla|recuperaci[óo]n|respaldo|mnemot[ée]cnica|secreta)
      | palabras\s(?:semilla|de\srecuperaci[óo]n|de\srespaldo)
      | phrase\s(?:de\s(?:r[ée]cup[ée]ration|secours)|mn[ée]monique|secr[èe]te)
      | mots\sde\s(?:r[ée]cup[ée]ration|secours)
      | frase\s(?:di\s(?:recupero|ripristino|backup)|mnemonica|seme) | parole\sdi\srecupero
      | frase[\s-](?:de\srecupera[çc][ãa]o|semente|mnem[ôo]nica) | palavras\sde\srecupera[çc][ãa]o
      | obnovovac[íi]\s(?:fr[áa]ze|slova)
      | сид[\s-]?фраз[аыуе] | мнемоник[аиу] | мнемоническ\w{{2}}\sфраз[аыуе]
      | фраз[аыуе]\sвосстановления | слова\sвосстановления
      | 助[记記][词詞] | 种子(?:短语|词) | 種子(?:短語|詞) | 恢[复復](?:短[语語]|[词詞])
      | リカバリーフレーズ | シードフレーズ | ニーモニック | 復元フレーズ
      | 시드\s?(?:문구|구문) | 복구\s?(?:문구|구문) | 니모닉
    )
    """
)
PHRASE_WORDS: Final = ("seed", "mnemoni", "phrase", "recover", "words", "frase", "parole", "mots")
"""Every label in ASCII has one of these in it."""

_POSSIBLE: Final = any_of(PHRASE_WORDS)
_PART: Final = expression(
    r"(?<![a-z])(?:words?[\s_-]{0,2}\d{1,2}\s{0,2}(?:-|–|to|through)\s{0,2}\d{1,2}"
    r"|(?:first|second|third|fourth|last|other|next|1st|2nd|3rd|4th|part|half|row|line|set)[\s_-]{0,2}"
    r"(?:half|part|third|quarter|row|line|words?|one|two|three|four|\d{1,2})?)(?=\s{0,3}[:=(])"
)
_SLIP: Final = expression(r"[^\W\d_]{3,10}")  # a word of a list has 3 to 8 letters
_TIES: Final = word_set("is are was were reads es son ist sind est sont")
_SMALL: Final = word_set(  # words of prose that are never typing errors for a word of a list
    "the and are was were for from has had have his her its our their they them you your not but"
    " this these those which who whom whose why how been being than too very any each both per via"
    " into onto upon off out over under keep nor yet she him que los las con por una para und der"
    " die das les des une est"
)


class _Piece(NamedTuple):
    """Consecutive words of one list: the index of the first token, and the one after the last."""

    first: int
    last: int
    slips: int

    @property
    def words(self) -> int:
        return self.last - self.first - self.slips


def are_possible(low: str) -> bool:
    """Return quickly whether a lower-case text can have a label of a phrase."""
    return _POSSIBLE.search(low) is not None or (
        not low.isascii() and _LABEL.search(low) is not None
    )


def find(text: str, low: str) -> Iterator[Secret]:
    """Yield the pieces of phrases near a label.

    Args:
        low: the text in lower case, of the same length.
    """
    labels = [match.span() for match in _LABEL.finditer(low)]
    if not labels:
        return
    apart = [*labels, *(match.span() for of in (_PART, MARKER) for match in of.finditer(low))]
    apart.sort()
    tokens = [
        token for token in tokens_of(text, FEWEST_PHRASE_WORDS // 2) if not _is_inside(token, apart)
    ]
    if len(tokens) < FEWEST_PHRASE_WORDS:
        return
    starts = [token.start for token in tokens]
    near = [_after_tie(tokens, bisect_left(starts, end)) for _, end in labels]
    for places in word_lists().values():
        for chain in _chains(_pieces(text, tokens, places)):
            if _is_phrase(tokens, places, chain) and _is_near(chain, near):
                for piece in chain:
                    first, last = _whole(text, tokens, piece, near)
                    yield Secret(tokens[first].start, tokens[last - 1].end, "recovery-phrase")


def _after_tie(tokens: Sequence[Token], at: int) -> int:
    return at + (at < len(tokens) and tokens[at].word in _TIES)


def _is_inside(token: Token, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_left(spans, (token.end, 0)) - 1
    return any(start <= token.start < end for start, end in spans[max(0, at - 2) : at + 1])


def _pieces(text: str, tokens: Sequence[Token], places: Mapping[str, int]) -> Iterator[_Piece]:
    """Yield stretches of words of a list, joined across one mistyped word."""
    held: _Piece | None = None
    for run in _runs(text, tokens, places):
        if held and _is_slip_between(text, tokens, held, run):
            held = _Piece(held.first, run.last, held.slips + 1)
            continue
        if held:
            yield from _cut(text, tokens, held)
        held = run
    if held:
        yield from _cut(text, tokens, held)


def _runs(text: str, tokens: Sequence[Token], places: Mapping[str, int]) -> Iterator[_Piece]:
    first = None
    for at, token in enumerate(tokens):
        goes_on = first is not None and _joins(text, tokens, at - 1, at)
        if first is not None and not (goes_on and token.word in places):
            yield _Piece(first, at, 0)
            first = None
        if first is None and token.word in places:
            first = at
    if first is not None:
        yield _Piece(first, len(tokens), 0)


def _joins(text: str, tokens: Sequence[Token], place: int, other: int) -> bool:
    return joins(text, tokens[place].end, tokens[other].start, _LONGEST_GAP)


def _is_slip_between(text: str, tokens: Sequence[Token], held: _Piece, run: _Piece) -> bool:
    at = held.last
    return (
        run.first == at + 1
        and held.slips <= held.words // SIZES[0]
        and _is_slip(tokens[at])
        and max(held.words, run.words) >= _LEAST_TOGETHER
        and _joins(text, tokens, at - 1, at)
        and _joins(text, tokens, at, run.first)
    )


def _is_slip(token: Token) -> bool:
    return _SLIP.fullmatch(token.word) is not None and token.word not in _SMALL


def _cut(text: str, tokens: Sequence[Token], piece: _Piece) -> Iterator[_Piece]:
    """Yield a long enough piece, cut at the line break that ends a whole phrase."""
    if piece.words < _LEAST_TOGETHER:
        return
    if piece.last - piece.first not in SIZES:
        for size in reversed(SIZES):
            end = piece.first + size
            if end < piece.last and "\n" in text[tokens[end - 1].end : tokens[end].start]:
                piece = _Piece(piece.first, end, min(piece.slips, size - 1))
                break
    yield piece


def _chains(pieces: Iterator[_Piece]) -> Iterator[list[_Piece]]:
    """Yield pieces that are close enough to be parts of one phrase."""
    chain: list[_Piece] = []
    for piece in pieces:
        if chain and piece.first - chain[-1].last > _REACH:
            yield chain
            chain = []
        chain.append(piece)
    if chain:
        yield chain


def _is_phrase(tokens: Sequence[Token], places: Mapping[str, int], chain: Sequence[_Piece]) -> bool:
    words = [
        token.word
        for piece in chain
        for token in tokens[piece.first : piece.last]
        if token.word in places
    ]
    return len(words) >= FEWEST_PHRASE_WORDS and len(set(words)) >= _LEAST_DISTINCT


def _is_near(chain: Sequence[_Piece], labels: Sequence[int]) -> bool:
    """Return whether a label is before, between or just behind the pieces, counted in tokens."""
    first, last = chain[0].first - _REACH, chain[-1].last + _REACH // 2
    return any(first <= at <= last for at in labels)


def _whole(
    text: str, tokens: Sequence[Token], piece: _Piece, labels: Sequence[int]
) -> tuple[int, int]:
    """Return a piece extended by the mistyped word at its start or end that completes it."""
    first, last = piece.first, piece.last
    if last - first + 1 not in SIZES:
        return first, last
    before = first - 1
    if before in labels and _is_slip(tokens[before]) and _joins(text, tokens, before, first):
        return before, last
    is_on_line = last < len(tokens) and "\n" not in text[tokens[last - 1].end : tokens[last].start]
    if is_on_line and _is_slip(tokens[last]) and _joins(text, tokens, last - 1, last):
        return first, last + 1
    return first, last
