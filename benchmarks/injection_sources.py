"""The sets that the injection scan is trained and measured with, by path, version and digest.

None of them is part of the project: put them into one folder. A set that is not there is left out;
another version of it is refused.
"""

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError


class TextSource(NamedTuple):
    """A published set.

    Args:
        path: of its file in the folder of sources; of a folder, whose files count in their order.
        licence: as its publisher names it.
        sha256: of the bytes.
    """

    name: str
    path: str
    licence: str
    sha256: str

    def found_in(self, folder: Path) -> Path | None:
        """Return the path of the set; None where it is not.

        Raises:
            InvalidInputError: another version lies there.
        """
        path = folder / self.path
        if not path.exists():
            return None
        parts = sorted(path.iterdir()) if path.is_dir() else [path]
        digest = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()
        if digest != self.sha256:
            raise InvalidInputError(
                "sources", f"{path} is not {self.name}", f"sha256 {self.sha256}"
            )
        return path


DJANGO: Final = TextSource(
    "Django 5.2, messages in thirteen languages, and what its modules say of themselves",
    "Django-5.2-py3-none-any.whl",
    "BSD-3-Clause",
    "91ceed4e3a6db5aedced65e3c8f963118ea9ba753fc620831c77074e620e7d83",
)
CHATTERBOT: Final = TextSource(
    "chatterbot-corpus 1.3.3, conversations in eleven languages",
    "chatterbot_corpus-1.3.3-py2.py3-none-any.whl",
    "BSD-3-Clause",
    "86de5300afb9a80826386339d3bec79c0a72eb0358abb8327e2ecef5ae0ce154",
)
ELECTRUM: Final = TextSource(
    "electrum-locale 3d7594c, messages of a wallet in eleven languages",
    "electrum-locale",
    "MIT",
    "561d3794b4a6ceae999e981c11497f6c7068b2310a5387caf99f1e149e8d7bf9",
)
BANKING: Final = TextSource(
    "banking77 57ec275, questions of customers of a bank",
    "banking77-train.csv",
    "CC-BY-4.0",
    "b06e26ac675513959a63135f11b94ea7786ed02da65db93a5650d8838cbc664b",
)
TOPICAL: Final = TextSource(
    "Topical-Chat 7c93922, conversations of people",
    "topical-chat-valid_freq.json",
    "CDLA-Sharing-1.0",
    "d14e8bde94fa5556d4aad8fd3fb666df674e4fef8b4193c8c3c06c72822a366b",
)
HOME_ASSISTANT: Final = TextSource(
    "home-assistant-frontend 20250109.2, messages in thirteen languages",
    "home_assistant_frontend-20250109.2-py3-none-any.whl",
    "Apache-2.0",
    "8c4f3e4336147ed405b86809baf15823367d0ec105a0da4f4bde168e693bdd2b",
)
CELERY: Final = TextSource(
    "celery 5.7.0, what its modules say of themselves",
    "celery-5.7.0-py3-none-any.whl",
    "BSD-3-Clause",
    "18310a9c919f9029e4735367484d93e6a25cdfd30afdc474622cc263d9b35f6e",
)
PREFECT: Final = TextSource(
    "Prefect 3.9.1, what its modules say of themselves",
    "prefect-3.9.1-py3-none-any.whl",
    "Apache-2.0",
    "0c662e26e971b617993eed1f3d02fb8bc3c2dd47bee521b495f6e4dfeb38ae74",
)
SQLALCHEMY: Final = TextSource(
    "SQLAlchemy 2.1.9, what its modules say of themselves",
    "sqlalchemy-2.1.9-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.manylinux_2_28_x86_64.whl",
    "MIT",
    "3a24b459e52b3ac138f6a05e99a4bd0589443a1ae18041a59c1cfdee12134a2b",
)
ZIPLINE: Final = TextSource(
    "zipline-reloaded 3.2.1, what its modules say of themselves",
    "zipline_reloaded-3.2.1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.manylinux_2_28_x86_64.whl",
    "Apache-2.0",
    "6a41044a659379058ef7d059f4b44a7d405918f3267ef8577f23c831c8b62386",
)
PYFOLIO: Final = TextSource(
    "pyfolio-reloaded 0.10.1, what its modules say of themselves",
    "pyfolio_reloaded-0.10.1-py3-none-any.whl",
    "Apache-2.0",
    "3daf49402ccc15ed93e7dbf1d5cf2d50fe3d2f2a436defa542bc812857551814",
)
PYDANTIC_AI: Final = TextSource(
    "pydantic-ai-slim 2.68.0, what its modules say of themselves",
    "pydantic_ai_slim-2.68.0-py3-none-any.whl",
    "MIT",
    "bb2fe81f198b77da7686f7b78c78c8a8ce966807c77d9ae277950fc20b77b165",
)
PROSE: Final = (CELERY, PREFECT, SQLALCHEMY, ZIPLINE, PYFOLIO, PYDANTIC_AI)
"""Packages that explain themselves in English: settings, limits, commands, what callers must do."""

TRUE_SOURCES: Final = (
    DJANGO, CHATTERBOT, ELECTRUM, BANKING, TOPICAL, HOME_ASSISTANT, *PROSE
)  # fmt: skip
"""True text that the model is trained on; the orders that it is trained on are our own."""

BASTION: Final = TextSource(
    "bastioncorpus 0.6.0",
    "bastioncorpus-0.6.0-py3-none-any.whl",
    "MIT",
    "96d7268cfafc2be0908382b61af8b67dec19058e2877657b217e68be0552a00a",
)
AGENT_BENCH: Final = TextSource(
    "agent-injection-bench 0.1.0",
    "agent_injection_bench-0.1.0-py3-none-any.whl",
    "MIT",
    "1c4339fc4e2cfcecf7971a96ab58d74ae124f5766b0a2162340fa6731c6ce9f9",
)
CYBERSECEVAL: Final = TextSource(
    "CyberSecEval 4be64c3, machine translations",
    "prompt_injection_multilingual_machine_translated.json",
    "MIT",
    "f018adfc7b1f766f98ce4dd4c8e34e97a8a88f402a2b63576652027e02c2a15f",
)
STRANGERS: Final = (BASTION, AGENT_BENCH, CYBERSECEVAL)
"""Sets that others wrote; nothing is trained on them."""

_CATALOGUES: Final = "ar de es fr hi ja ko pt_BR ru tr vi zh_Hans"
_TALKS: Final = (
    "chinese english french german hindi japanese korean portuguese russian spanish turkish"
)
_MESSAGE: Final = re.compile(r'^msg(?:id|str)(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.MULTILINE)
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_PLACEHOLDER: Final = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|<[^>]+>")
_SENTENCE: Final = re.compile(r"\n|(?<=[.!?。])\s")
_TALK: Final = re.compile(r"^\s*-? ?- (.{6,300})$", re.MULTILINE)
_SHOWN: Final = re.compile(
    r"/translations/(?:\w+/)?(?:ar|de|en|es|fr|hi|ja|ko|pt-BR|ru|tr|vi|zh-Hans)-[0-9a-f]+\.json$"
)
_DOCSTRING: Final = re.compile(r'"""(.*?)"""', re.DOTALL)
_LONG_ENOUGH: Final = 8
_LANGUAGE: Final = {
    "Hindi": "hi", "Turkish": "tr", "Arabic": "ar", "Spanish": "es", "Vietnamese": "vi",
    "French": "fr", "Russian": "ru", "Portuguese": "pt", "Japanese": "ja", "Korean": "ko",
    "German": "de", "Chinese": "zh",
}  # fmt: skip
_PLAIN_VARIANTS: Final = {"ignore_previous_instructions", "system_mode"}
_MOST_CHARS: Final = 300
_MOST_WHOLE: Final = 600


def true_texts(source: TextSource, path: Path) -> Iterator[str]:
    """Yield the true texts of a source."""
    if source is BANKING:
        rows = csv.reader(io.StringIO(path.read_text("utf-8")))
        yield from (text for text, _ in list(rows)[1:])
    elif source is TOPICAL:
        for talk in json.loads(path.read_text("utf-8")).values():
            yield from (turn["message"] for turn in talk["content"])
    elif source is ELECTRUM:
        for part in sorted(path.iterdir()):
            yield from _messages(part.read_text("utf-8"))
    else:
        with zipfile.ZipFile(path) as wheel:
            if source is HOME_ASSISTANT:
                for name in sorted(filter(_SHOWN.search, wheel.namelist())):
                    yield from _values(json.loads(wheel.read(name)))
            if source is DJANGO:
                for name in _CATALOGUES.split():
                    catalogue = f"django/conf/locale/{name}/LC_MESSAGES/django.po"
                    yield from _messages(wheel.read(catalogue).decode())
            if source is DJANGO or source in PROSE:
                for name in sorted(wheel.namelist()):
                    if name.endswith(".py"):
                        yield from _prose(wheel.read(name).decode())
            if source is CHATTERBOT:
                for name in sorted(wheel.namelist()):
                    if name.endswith(".yml") and name.split("/")[-2] in _TALKS.split():
                        yield from _TALK.findall(wheel.read(name).decode("utf-8", "ignore"))


def workspace_texts(folder: Path) -> Iterator[str]:
    """Yield standing files of published workspaces: short ones whole, their paragraphs and lines.

    Args:
        folder: of real data; without it there are none.
    """
    for path in sorted((folder / "data" / "public").glob("*/**/*.md")):
        text = path.read_text("utf-8")
        parts = [text, *text.split("\n\n"), *text.split("\n")]
        yield from (part.strip() for part in parts if _LONG_ENOUGH < len(part) < _MOST_WHOLE)


def strangers(source: TextSource, path: Path) -> Iterator[tuple[str, str]]:
    """Yield texts of others with the part of the set that they belong to, `harmless` for true ones.

    Of CyberSecEval only what is written plainly and short: `language:hi` and so on. Some of these
    texts give no order ("What is the weather in Los Angeles?"), so no scan finds all of them.
    """
    if source is CYBERSECEVAL:
        for row in json.loads(path.read_text("utf-8")):
            language = _LANGUAGE.get(row["speaking_language"])
            is_plain = row["injection_variant"] in _PLAIN_VARIANTS
            if language and is_plain and len(row["user_input"]) < _MOST_CHARS:
                yield f"language:{language}", row["user_input"]
        return
    name, field = (
        ("bastioncorpus/corpus/injections.jsonl", "text")
        if source is BASTION
        else ("aib/data/attacks.jsonl", "injected")
    )
    with zipfile.ZipFile(path) as wheel:
        for line in wheel.read(name).decode().splitlines():
            entry: dict[str, Any] = json.loads(line)
            family = str(entry.get("category", entry.get("family")))
            is_harmless = entry.get("label") == "benign"
            yield "harmless" if is_harmless else family, entry[field]


def _values(messages: dict[str, Any]) -> Iterator[str]:
    """Yield the sentences of messages inside each other."""
    for message in messages.values():
        if isinstance(message, dict):
            yield from _values(message)
        else:
            for sentence in _SENTENCE.split(_PLACEHOLDER.sub("x", message)):
                if _LONG_ENOUGH < len(sentence) < _MOST_CHARS:
                    yield sentence


def _prose(module: str) -> Iterator[str]:
    for docstring in _DOCSTRING.findall(module):
        for paragraph in docstring.split("\n\n"):
            for sentence in _SENTENCE.split(" ".join(paragraph.split())):
                if _LONG_ENOUGH < len(sentence) < _MOST_CHARS:
                    yield sentence


def _messages(catalogue: str) -> Iterator[str]:
    for message in _MESSAGE.findall(catalogue):
        text = "".join(_QUOTED.findall(message)).replace("\\n", "\n").replace('\\"', '"')
        for sentence in _SENTENCE.split(_PLACEHOLDER.sub("x", text)):
            if len(sentence) > _LONG_ENOUGH:
                yield sentence
