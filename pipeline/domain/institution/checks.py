"""Check a run before anything is written; each error names the field that is wrong."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from afterword.pipeline.clock import checked_moment, iso
from afterword.pipeline.domain.cases.model import DESK_ROLE
from afterword.pipeline.domain.decisions.checks import MAX_ASSET, MAX_METHODS
from afterword.pipeline.domain.decisions.model import NewDecision, NewDecisionRow
from afterword.pipeline.domain.decisions.record import prepare
from afterword.pipeline.domain.institution.desk import desk_registry
from afterword.pipeline.domain.institution.forms import (
    PortfolioDecision,
    checked_form,
    read_form,
)
from afterword.pipeline.domain.institution.model import (
    DECIDING_FORM,
    CheckedOutput,
    NewInstitutionRun,
    NewRoleOutput,
)
from afterword.pipeline.domain.institution.reply import read_reply
from afterword.pipeline.domain.memory.checks import MAX_NAME, check_text, short_repr
from afterword.pipeline.domain.memory.json_object import masked_object
from afterword.pipeline.domain.memory.model import Actor
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.masking import mask

MAX_OUTPUTS: Final = 40
"""Outputs of one run: a desk of five with several rounds of debate has a dozen."""

MAX_OUTPUT: Final = 60_000
"""Characters of one output as JSON; its fields have limits of their own."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """A run as it may be kept: checked, its secrets masked.

    Args:
        digest: SHA-256 of what was given; a second capture of the run must have the same.
        portfolio: the output that decides.
        cited: ids of the methodologies that any role cites, each once.
        row: the decision to be recorded, where `decision` names none that was.
    """

    uid: str
    asset: str
    asset_key: str
    outputs: tuple[CheckedOutput, ...]
    portfolio: PortfolioDecision
    cited: tuple[str, ...]
    decided_at: datetime | None
    decision: str | None
    retrospect: str | None
    meta: Mapping[str, Any]
    digest: str
    row: NewDecisionRow


def require_institution(enabled: bool, field: str = "institution_learning_enabled") -> None:
    """Refuse what would write while captures are off.

    Raises:
        InvalidInputError: they are off.
    """
    if not enabled:
        accepted = "AFTERWORD_INSTITUTION_LEARNING_ENABLED=true"
        raise InvalidInputError(field, "is off: nothing of runs is written", accepted)


def check_run(new: NewInstitutionRun, actor: Actor, at: str = "") -> CheckedRun:
    """Return a run as it may be kept.

    Args:
        actor: an agent records a run when it was made: it gives no moment.
        at: its place in a list, such as `runs[3].`; prefix of field names.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    check_text(new.uid, MAX_NAME, f"{at}run")
    check_text(new.asset, MAX_ASSET, f"{at}asset")
    if new.decided_at is not None:
        checked_moment(new.decided_at, f"{at}decided_at")
        if actor == "agent":
            accepted = "nothing: a run is captured when it was made"
            raise InvalidInputError(f"{at}decided_at", "is given by an agent", accepted)
    for name in ("decision", "retrospect"):
        value = getattr(new, name)
        if value is not None:
            check_text(value, MAX_NAME, f"{at}{name}")
    if new.retrospect is not None and not _DIGEST.fullmatch(new.retrospect):
        accepted = "the digest that the retrospect came with: 64 digits from 0-9 and a-f"
        problem = f"is {short_repr(new.retrospect)}"
        raise InvalidInputError(f"{at}retrospect", problem, accepted)
    meta = masked_object(dict(new.meta or {}), f"{at}meta")
    outputs, portfolio = _outputs(new.outputs, at)
    cited = tuple(dict.fromkeys(uid for output in outputs for uid in output.cited))
    if len(cited) > MAX_METHODS:
        problem = f"cite {len(cited)} methodologies"
        raise InvalidInputError(f"{at}outputs", problem, f"up to {MAX_METHODS} of one run")
    uid, asset = mask(new.uid), mask(new.asset)
    asset_key = mask(normalise_symbol(new.asset))
    place = [output.form for output in outputs].index(DECIDING_FORM)
    row = _decision_row(new, uid, portfolio, cited, f"{at}outputs[{place}].output.")
    return CheckedRun(
        uid,
        asset,
        asset_key,
        outputs,
        portfolio,
        cited,
        new.decided_at,
        new.decision,
        new.retrospect,
        meta,
        _digest(new, asset_key, outputs, meta),
        row,
    )


def _outputs(
    given: Sequence[NewRoleOutput], prefix: str
) -> tuple[tuple[CheckedOutput, ...], PortfolioDecision]:
    if not 1 <= len(given) <= MAX_OUTPUTS:
        problem = f"has {len(given)} outputs"
        raise InvalidInputError(
            f"{prefix}outputs", problem, f"1 to {MAX_OUTPUTS}, one of them decides"
        )
    outputs, portfolios = list[CheckedOutput](), list[PortfolioDecision]()
    for index, new in enumerate(given):
        at = f"{prefix}outputs[{index}]"
        check_text(new.role, MAX_NAME, f"{at}.role")
        form = checked_form(new.form, f"{at}.form")
        if (new.output is None) == (new.reply is None):
            problem = "is given beside output" if new.reply is not None else "is missing"
            raise InvalidInputError(f"{at}.reply", problem, "either output or reply")
        output, model, field = new.output, new.model, f"{at}.output"
        if new.reply is not None:
            field = f"{at}.reply"
            filled = read_reply(new.reply, form, field)
            output, model = filled.output, model or filled.model
        if model is not None:
            check_text(model, MAX_NAME, f"{at}.model")
        filled_in = read_form(form, output, field)
        if isinstance(filled_in, PortfolioDecision):
            portfolios.append(filled_in)
        body = masked_object(filled_in.model_dump(exclude_none=True), field, MAX_OUTPUT)
        cited = tuple(dict.fromkeys(map(mask, filled_in.methods)))
        outputs.append(
            CheckedOutput(mask(new.role), form, body, cited, None if model is None else mask(model))
        )
    if len(portfolios) != 1:
        problem = f"has {len(portfolios)} of the form {DECIDING_FORM}"
        raise InvalidInputError(f"{prefix}outputs", problem, "exactly one: what the run decided")
    return tuple(outputs), portfolios[0]


def _decision_row(
    new: NewInstitutionRun,
    uid: str,
    portfolio: PortfolioDecision,
    cited: Sequence[str],
    at: str,
) -> NewDecisionRow:
    """Return the decision of a run, checked like any other; `at` is a prefix of its fields."""
    decision = NewDecision(
        DESK_ROLE,
        f"{portfolio.thesis}\nTrigger: {portfolio.trigger}\nBase case: {portfolio.base_case}",
        {"institution_run": uid, "horizon_days": portfolio.horizon_days},
        new.asset,
        portfolio.direction,
        portfolio.confidence,
        new.decided_at,
        key=f"run:{hashlib.sha256(uid.encode()).hexdigest()}",
        stop_price=portfolio.stop_price,
        target_price=portfolio.target_price,
        size_usd=portfolio.size_usd,
        methods=cited,
    )
    return prepare(desk_registry(), decision, at)


def _digest(
    new: NewInstitutionRun,
    asset_key: str,
    outputs: Sequence[CheckedOutput],
    meta: Mapping[str, Any],
) -> str:
    moment = None if new.decided_at is None else iso(new.decided_at)
    content = [
        *(asset_key, moment, new.decision, new.retrospect, meta),
        [cast(Any, output)._asdict() for output in outputs],
    ]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
