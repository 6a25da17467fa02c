"""Irregular forms of a word, which no stemmer joins: `go` finds `went`."""

from typing import Final

_FORMS: Final = """
arise arose arisen/ be is are was were been/ bear bore borne/ beat beaten/ become became/
begin began begun/ bend bent/ bet bets/ bite bit bitten/ bleed bled/ blow blew blown/
break broke broken/ bring brought/ build built/ burn burnt/ buy bought/ catch caught/
choose chose chosen/ cling clung/ come came/ creep crept/ deal dealt/ dig dug/ do did done/
draw drew drawn/ dream dreamt/ drink drank drunk/ drive drove driven/ eat ate eaten/
fall fell fallen/ feed fed/ feel felt/ fight fought/ find found/ flee fled/ fly flew flown/
forbid forbade forbidden/ forget forgot forgotten/ forgive forgave forgiven/ freeze froze frozen/
get got gotten/ give gave given/ go went gone/ grind ground/ grow grew grown/ hang hung/
have has had/ hear heard/ hide hid hidden/ hold held/ keep kept/ kneel knelt/ know knew known/
lay laid/ lead led/ lean leant/ learn learnt/ leave left/ lend lent/ lie lay lain/ light lit/
lose lost/ make made/ mean meant/ meet met/ overcome overcame/ pay paid/ ride rode ridden/
ring rang rung/ rise rose risen/ run ran/ say said/ see saw seen/ seek sought/ sell sold/
send sent/ sew sewn/ shake shook shaken/ shine shone/ shoot shot/ show shown/ shrink shrank shrunk/
sing sang sung/ sink sank sunk/ sit sat/ sleep slept/ slide slid/ speak spoke spoken/
speed sped/ spend spent/ spin spun/ spring sprang sprung/ stand stood/ steal stole stolen/
stick stuck/ sting stung/ strike struck/ strive strove/ swear swore sworn/ sweep swept/
swim swam swum/ swing swung/ take took taken/ teach taught/ tear tore torn/ tell told/
think thought/ throw threw thrown/ understand understood/ undertake undertook/ wake woke woken/
wear wore worn/ weave wove woven/ weep wept/ win won/ wind wound/ withdraw withdrew withdrawn/
write wrote written/
child children/ foot feet/ half halves/ index indices indexes/ leaf leaves/ life lives/ loss losses/
man men/ mouse mice/ person people/ shelf shelves/ tooth teeth/ wife wives/ woman women
"""

_TOGETHER: Final[dict[str, tuple[str, ...]]] = {}
for _line in _FORMS.split("/"):
    for _word in _line.split():
        _TOGETHER[_word] = tuple(dict.fromkeys((*_TOGETHER.get(_word, ()), *_line.split())))


def forms(word: str) -> tuple[str, ...]:
    """Return a word in lower case with its irregular forms, itself first."""
    for form in (word, *_without_ending(word)):
        if form in _TOGETHER:
            return tuple(dict.fromkeys((word, *_TOGETHER[form])))
    return (word,)


def _without_ending(word: str) -> tuple[str, ...]:
    """Return the possible base forms of a word: `buy` of `buys`, `lose` of `losing`."""
    if word.endswith("ing") and len(word) > 5:
        stem = word[:-3]
        return (stem, f"{stem}e", stem[:-1])
    return (word[:-1], word[:-2]) if word.endswith("s") else ()
