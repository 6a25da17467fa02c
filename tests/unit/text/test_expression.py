import pickle
import re

import pytest

from afterword.pipeline.expression import expression


def test_it_is_used_as_a_compiled_expression():
    ours, theirs = (
        expression(r"(?P<a>b+)c", re.IGNORECASE),
        re.compile(r"(?P<a>b+)c", re.IGNORECASE),
    )

    assert [ours.sub("x", "aBBc"), ours.findall("bc Bc"), ours.pattern, ours.flags] == [
        *(theirs.sub("x", "aBBc"), theirs.findall("bc Bc"), theirs.pattern, theirs.flags),
    ]
    assert ours.search("abbc")["a"] == "bb"
    assert ours.fullmatch("abbc") is None


def test_a_wrong_one_is_refused_at_its_first_use():
    wrong = expression("(")

    with pytest.raises(re.error):
        wrong.search("text")


@pytest.mark.parametrize("is_used", [True, False])
def test_it_is_carried_to_another_process(is_used: bool):
    ours = expression("b+")
    if is_used:
        ours.search("b")

    assert pickle.loads(pickle.dumps(ours)).search("abb")[0] == "bb"
