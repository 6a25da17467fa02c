"""Whether what is told of real decisions is true by the commands of a user, and at what cost.

A thousand decisions by fixed rules on real hourly prices, once judged by rule and once by a model;
and those real models made, each with the context it had in front of it. Every number is held
against a second computation; a prompt may show what evidence confirms, and nothing else.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from afterword.pipeline.domain.decisions.model import CLASSIFICATIONS
from afterword.pipeline.domain.patterns.writer import MAX_WORDS
from afterword.pipeline.domain.skills import PriceDelta
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.gateway.budget.prices import MODEL_PRICES
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.model_server import ModelRequest, ModelServer
from afterword.pipeline.testing.wait import wait_until
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.decisions_rules import (
    MARKETS,
    RULES,
    Decided,
    model_decisions,
    price_file,
    rule_decisions,
)
from benchmarks.decisions_truth import Truth
from benchmarks.host import Host, a_host
from benchmarks.timing import seconds

ARENA: Final = "decisions/alpha_arena_s1_decisions.jsonl.gz"
"""What real models decided, inside the folder of real data."""

ARENA_PRICES: Final = ("ohlcv/SOLUSDT_2025-10_1h.csv.gz", "ohlcv/alpha_arena_prints.csv")
"""Only SOL has prices after those decisions; the prints of the others end days before them."""

ARENA_ROLES: Final = ("market.perps.intraday", "market.perps.swing")
"""Their windows, 4 h and 72 h, end within the prices of SOL."""

LATE: Final = MARKETS[-1]
"""A market whose prices come in after the others."""

SMALL_CAP_USD: Final = 0.05
"""What the model may cost at first: less than half of what all of it takes."""

_PROBES = {
    role.id: role.reflection_policy.outcome_probe for one in BUILTIN for role in one.memory_roles
}
WINDOWS: Final = {
    role: probe.window_hours for role, probe in _PROBES.items() if isinstance(probe, PriceDelta)
}

OUTCOMES: Final = ("right", "wrong", "noise", "unknown")

LOOKED_AT: Final = 40
"""Of so many decisions one is shown with all its windows."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one line of the command said, and how long it took."""

    code: int
    said: Any
    took_s: float


def ask(path: Path, decisions: int) -> Answer:
    """Record, wait, reflect and recall, as a user does."""
    if not path.is_dir():
        raise SystemExit(f"no folder of real data at {path}: name one with --path")
    truth = Truth(path / "ohlcv", path / ARENA_PRICES[0], WINDOWS)
    lines = rule_decisions(path / "ohlcv", decisions)
    measured = _named("rule", _judged_by_rule(path / "ohlcv", lines, truth))
    measured |= _named("model", _judged_by_model(path / "ohlcv", lines, truth))
    measured |= _named("arena", _arena(path, truth))
    none = Target(at_most=0)
    return Answer(
        "decisions",
        measured,
        targets={
            "rule_decisions": Target(at_least=len(lines)),
            "rule_waiting_with_a_price": none,
            "rule_untrue": none,
            "rule_windows_untrue": none,
            "rule_patterns_miscounted": none,
            "rule_prompt_lines_unconfirmed": none,
            "rule_cases_without_their_number": none,
            "model_untrue": none,
            "model_booked_to_metered": Target(at_least=1),
            "model_stopped_by_cap": Target(at_least=1),
            "model_small_cap_used": Target(at_most=1),
            "model_questions_to_needed": Target(at_most=1),
            "arena_untrue": none,
            "arena_contexts_changed": none,
            "arena_sol_waiting": none,
            "arena_others_judged": none,
        },
        sizes={"decisions": len(lines), "markets": len(MARKETS), "rules": len(RULES)},
    )


def _judged_by_rule(ohlcv: Path, lines: Sequence[Decided], truth: Truth) -> dict[str, float]:
    """Let `afterword up` drain them, then import the prices that lacked and reflect by hand."""
    with a_host(fleet=False) as host:
        recorded_s = _record(host, lines)
        again = _afterword(host, "role", "record", "--file", str(_file(host)))
        on_time = [price_file(ohlcv, market) for market in MARKETS if market != LATE]
        _afterword(host, "prices", "import", *map(str, on_time))
        up = host.start("afterword", "--home", str(host.home), "up")
        roles = sorted({line["role"] for line in lines})
        drained_s = wait_until(lambda: not _waiting(host, "pending"), 600)
        up.terminate()
        up.wait(60)
        _afterword(host, "prices", "import", str(price_file(ohlcv, LATE)))
        by_hand = _afterword(host, "role", "reflect")
        found = _found(host, roles)
        _tell("judged by rule", found)
        patterns = _afterword(host, "role", "pattern", "ls", "--all").said
        confirmed = [one["text"] for one in patterns if one["state"] == "confirmed"]
        for text in confirmed:
            note(f"  {text}")
        told = _prompt_lines(host, roles)
        shown = [(one, _windows(host, one)) for one in found[::LOOKED_AT]]
        return _counts(found) | {
            "decisions": len(found),
            "recorded_twice": sum(one["is_new"] for one in again.said),
            "waiting_with_a_price": len(truth.overlooked(found)),
            "untrue": len(truth.untrue(found)),
            "windows_looked_at": sum(len(windows) for _, windows in shown),
            "windows_untrue": sum(truth.untrue_windows(*one) for one in shown),
            "patterns_confirmed": len(confirmed),
            "patterns_emerging": sum(one["state"] == "emerging" for one in patterns),
            "patterns_miscounted": _miscounted(patterns, truth.setups(found)),
            "prompt_lines": len(told),
            "prompt_lines_unconfirmed": sum(
                not any(text in line for text in confirmed) for line in told
            ),
            "cases_without_their_number": len(_without_number(found)),
            "record_s": recorded_s,
            "drained_by_up_s": drained_s,
            "late_market_s": by_hand.took_s,
        }


def _judged_by_model(ohlcv: Path, lines: Sequence[Decided], truth: Truth) -> dict[str, float]:
    """Ask a model over HTTP: first with a cap that is too small, then with enough."""
    worded: list[str] = []
    with a_host(fleet=False) as host, ModelServer(fills=partial(_fill, worded)) as server:
        _record(host, lines)
        _afterword(host, "prices", "import", *(str(price_file(ohlcv, one)) for one in MARKETS))
        asked = {
            "AFTERWORD_ROLE_JUDGE": "model",
            "AFTERWORD_LLM_PROVIDER": "anthropic",
            "AFTERWORD_LLM_BASE_URL": server.origin,
            "AFTERWORD_LEARNING_DAILY_CAP_USD": str(SMALL_CAP_USD),
        }
        for task in ("classify_entry", "draft_lesson"):
            _afterword(host, "switch", "set", task, "on")
        small = _afterword(host, "role", "reflect", may_fail=True, settings=asked)
        small_usd = _booked(host)
        note(f"with a cap of {SMALL_CAP_USD} USD: exit {small.code}, {small_usd:.6f} USD booked")
        asked["AFTERWORD_LEARNING_DAILY_CAP_USD"] = "5"
        rest = _afterword(host, "role", "reflect", settings=asked)
        booked = _booked(host)
        found = _found(host, sorted({line["role"] for line in lines}))
        _tell("judged by a model", found)
        wrong = [one for one in found if _outcome(one) == "wrong"]
        needed = len(wrong) + sum(one["lesson"] is not None for one in wrong) + len(worded)
        metered = _metered(server)
        note(
            f"{len(server.served):,} questions for {needed:,} answers; the server metered "
            f"{metered:.6f} USD, {booked:.6f} USD are booked"
        )
        return _counts(found) | {
            "untrue": len(truth.untrue(found)),
            "patterns_worded": len(worded),
            "stopped_by_cap": small.code,
            "small_cap_used": small_usd / SMALL_CAP_USD,
            "questions": len(server.served),
            "questions_to_needed": len(server.served) / needed,
            "booked_usd": booked,
            "booked_to_metered": booked / metered,
            "reflect_s": small.took_s + rest.took_s,
        }


def _arena(path: Path, truth: Truth) -> dict[str, float]:
    """Judge what real models decided where a price tells, and let the others wait."""
    lines = [line for role in ARENA_ROLES for line in model_decisions(path / ARENA, role)]
    with a_host(fleet=False) as host:
        recorded_s = _record(host, lines)
        _afterword(host, "prices", "import", *(str(path / name) for name in ARENA_PRICES))
        _afterword(host, "role", "reflect")
        found = _found(host, ARENA_ROLES)
        _tell("decided by real models", found)
        sol = [one for one in found if one["asset"] == "SOL"]
        others = [one for one in found if one["asset"] != "SOL"]
        said = {line["key"]: line["context"] for line in lines}
        shown = [_afterword(host, "role", "show", one["uid"]).said for one in sol[::30]]
        return _counts(found) | {
            "decisions": len(found),
            "sol_waiting": len(_unjudged(sol)),
            "others_judged": len(others) - sum(one["reason"] == "no price" for one in others),
            "contexts_kept": len({one["context_hash"] for one in found}),
            "contexts_changed": sum(
                one["context"] != said[one["decision"]["key"]] for one in shown
            ),
            "untrue": len(truth.untrue(sol, arena=True)),
            "plans": sum("plan" in one["verdict"]["measured"] for one in sol if one["verdict"]),
            "record_s": recorded_s,
        }


def _record(host: Host, lines: Iterable[Decided]) -> float:
    _file(host).write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return _afterword(host, "role", "record", "--file", str(_file(host))).took_s


def _file(host: Host) -> Path:
    return host.home.with_name("decisions.jsonl")


def _afterword(
    host: Host,
    *line: str,
    may_fail: bool = False,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Line:
    """Run one line of the command in a process of its own, and read its answer."""
    command = [sys.executable, "-m", "afterword", "--home", str(host.home), "--json", *line]
    done: list[subprocess.CompletedProcess[str]] = []
    took_s = seconds(
        lambda: done.append(
            subprocess.run(
                command, env={**os.environ, **settings}, capture_output=True, text=True, check=False
            )
        )
    )
    code, said, problem = done[0].returncode, done[0].stdout, done[0].stderr
    if code and not may_fail:
        raise RuntimeError(f"afterword {' '.join(line)}: {problem}")
    return Line(code, None if code else json.loads(said), took_s)


def _waiting(host: Host, reason: str) -> int:
    roles = _afterword(host, "role", "list").said
    return sum(role["waiting"].get(reason, 0) for role in roles)


def _found(host: Host, roles: Iterable[str]) -> list[dict[str, Any]]:
    """Return what became of all decisions of some roles."""
    listed = [_afterword(host, "role", "list", role, "--limit", "1000").said for role in roles]
    return [one for decisions in listed for one in decisions]


def _outcome(decision: Mapping[str, Any]) -> str:
    verdict = decision["verdict"]
    return str(verdict["outcome"]) if verdict else "unknown"


def _unjudged(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in found if _outcome(one) == "unknown"]


def _counts(found: Sequence[dict[str, Any]]) -> dict[str, float]:
    outcomes = Counter(map(_outcome, found))
    classes = Counter(one["verdict"]["classification"] for one in found if _outcome(one) == "wrong")
    cases = sum(one["lesson"] is not None for one in found)
    return {
        **{word: outcomes[word] for word in OUTCOMES},
        **{word: classes[word] for word in CLASSIFICATIONS},
        "cases": cases,
    }


def _tell(title: str, found: Sequence[dict[str, Any]]) -> None:
    """Print what became of them, by whoever decided."""
    note(title)
    makers = sorted({_maker(one) for one in found})
    heads = (*OUTCOMES, *CLASSIFICATIONS, "cases")
    note(f"  {'':18} decisions " + " ".join(f"{head:>12}" for head in heads))
    for maker in (*makers, ""):
        some = [one for one in found if maker in ("", _maker(one))]
        counts = _counts(some)
        cells = " ".join(f"{counts[head]:12,.0f}" for head in heads)
        note(f"  {maker or 'all':18} {len(some):9,} {cells}")


def _maker(decision: Mapping[str, Any]) -> str:
    """Return the rule, or the model, as the key begins with it."""
    return str(re.split(r"[_ ]", decision["key"])[0])


def _windows(host: Host, decision: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the outcomes of a decision over all windows."""
    shown: list[dict[str, Any]] = _afterword(host, "role", "show", decision["uid"]).said["outcomes"]
    return shown


def _prompt_lines(host: Host, roles: Iterable[str]) -> list[str]:
    """Return the lines about lessons that the prompts of these roles' skills hold by default."""
    skills = sorted({role.rpartition(".")[0] for role in roles})
    texts = [_afterword(host, "role", "recall", skill, "--prompt").said["text"] for skill in skills]
    return [line for text in texts for line in text.splitlines() if line.startswith("- ")]


def _miscounted(
    patterns: Iterable[Mapping[str, Any]], counts: Mapping[tuple[str, str, str], int]
) -> int:
    """Return how many hypotheses count other decisions than those of their setup."""
    return sum(
        one["numbers"]["decisions"] != counts.get((one["role"], one["direction"], one["trend"]), 0)
        for one in patterns
    )


def _without_number(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the decisions whose single case does not tell the move that made it."""
    return [
        one
        for one in found
        if one["lesson"]
        and f"{abs(Decimal(one['verdict']['measured']['change'])) * 100:.2f} %" not in one["lesson"]
    ]


def _fill(worded: list[str], asked: ModelRequest) -> dict[str, Any]:
    """Answer as a model would that reads what it is told, and keeps to it.

    Args:
        worded: gets the text of each pattern that is to be worded.
    """
    if "text" in asked.schema["properties"]:
        worded.append(str(json.loads(asked.user)["text"]))
        return {"text": worded[-1][:MAX_WORDS]}
    if "lesson" not in asked.schema["properties"]:
        return _classified(json.loads(asked.user))
    told = json.loads(asked.user.partition("\n\n")[2])
    before = told["known_when_decided"]["move_before"]
    return {
        "lesson": f"Where {told['asset']} has moved by {_percent(before)} over the window before, "
        f"ask what speaks for a {told['direction']} besides that; without an answer, wait."
    }


def _classified(told: Mapping[str, Any]) -> dict[str, str]:
    before, outcome = told["known_when_decided"]["move_before"], told["outcome"]
    change, band = Decimal(outcome["change"]), Decimal(outcome["band"])
    if abs(change) > 10 * band:
        return {"type": "exogenous", "narrative": f"{_percent(str(change))}: nobody could know."}
    if not told["known_when_decided"]["context"]:
        return {"type": "missing_data", "narrative": "It was decided on nothing."}
    if before is None or abs(Decimal(before)) <= band:
        return {"type": "variance", "narrative": "Nothing known spoke against it."}
    return {"type": "logic_error", "narrative": f"It had seen a move of {_percent(before)}."}


def _percent(share: str | None) -> str:
    return "an unknown amount" if share is None else f"{Decimal(share) * 100:+.2f} %"


def _booked(host: Host) -> float:
    windows = _afterword(host, "budget", "show").said["categories"]
    (day,) = (one for one in windows if (one["scope"], one["name"]) == ("category_day", "learning"))
    return float(day["spent_micro_usd"]) / 1e6


def _metered(server: ModelServer) -> float:
    price = MODEL_PRICES[Settings.model_fields["llm_model"].default]
    each = (price.cost_micro_usd(one.input_tokens, one.output_tokens) for one in server.served)
    return sum(each) / 1e6


def _named(part: str, measured: Mapping[str, float]) -> dict[str, float]:
    return {f"{part}_{name}": number for name, number in measured.items()}


def _shared() -> Path:
    """Return where real data lies, if it does: beside the repository, unless it is named."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("AFTERWORD_SHARED", beside)) / "data"


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, _shared(), "folder of real data, with ohlcv and decisions in it"),
        decisions=(int, 1_000, "decisions by rule"),
    )
