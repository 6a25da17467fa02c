"""What each role fills in, and the tool that its model is forced to call to do so.

A form has fields of fixed names and closed vocabularies, so that runs can be compared. Unknown
fields are refused, numbers must be finite, and texts have limits.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from afterword.pipeline.domain.decisions.checks import MAX_METHOD
from afterword.pipeline.domain.institution.model import OUTPUT_FORMS, OutputForm
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.text.line import is_visible

MAX_TEXT: Final = 4_000
"""Characters of one text of a form: a page of a report."""

MAX_POINTS: Final = 12
"""Points of a list in a form, and methodologies that one output cites."""

MAX_HORIZON_DAYS: Final = 365
"""The longest window that is measured; days."""

MAX_POINT: Final = 500
"""Characters of one point of a list."""


def _seen(text: str) -> str:
    if not is_visible(text):
        raise ValueError("must be text that can be seen")
    return text


_Seen = Annotated[str, AfterValidator(_seen)]
_Text = Annotated[_Seen, Field(min_length=1, max_length=MAX_TEXT)]
_Point = Annotated[_Seen, Field(min_length=1, max_length=MAX_POINT)]
_Points = Annotated[list[_Point], Field(max_length=MAX_POINTS)]
_Direction = Annotated[
    Literal["long", "short", "neutral"], Field(description="What is expected of the price.")
]
_Confidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, description="0 to 1.")]
_Price = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Days = Annotated[
    float,
    Field(
        ge=1, le=MAX_HORIZON_DAYS, allow_inf_nan=False, description="Days until it should be so."
    ),
]
_Methods = Annotated[
    list[Annotated[_Seen, Field(min_length=1, max_length=MAX_METHOD)]],
    Field(max_length=MAX_POINTS, description="Ids of the methodologies that this rests on."),
]


class RoleForm(BaseModel):
    """What all forms share."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    methods: _Methods = Field(default_factory=list)


class AnalystReport(RoleForm):
    """Report what the data of your field says of the asset."""

    direction: _Direction
    confidence: _Confidence
    summary: _Text
    key_points: _Points = Field(default_factory=list)


class DebateArgument(RoleForm):
    """Argue one side of the debate, and answer the other."""

    side: Literal["bull", "bear"]
    confidence: _Confidence
    claim: _Text
    evidence: _Points = Field(default_factory=list)
    concedes: _Points = Field(default_factory=list)


class RiskAssessment(RoleForm):
    """Judge what can go wrong with the proposal, and how much may be at stake."""

    level: Literal["low", "medium", "high", "extreme"]
    verdict: Literal["approve", "reduce", "reject"]
    confidence: _Confidence
    reasons: _Text
    max_size_usd: _Price | None = None


class TraderProposal(RoleForm):
    """Propose one trade, or to stand aside."""

    direction: _Direction
    confidence: _Confidence
    horizon_days: _Days
    rationale: _Text
    entry_price: _Price | None = None
    stop_price: _Price | None = None
    target_price: _Price | None = None


class PortfolioDecision(RoleForm):
    """Decide. Your direction, horizon and reasons are judged by the price over the next year."""

    direction: _Direction
    confidence: _Confidence
    horizon_days: _Days
    trigger: Annotated[_Text, Field(description="What makes it the moment, right within a day.")]
    base_case: Annotated[_Text, Field(description="What happens within a week.")]
    thesis: Annotated[_Text, Field(description="Why it holds for months.")]
    entry_price: _Price | None = None
    stop_price: Annotated[_Price | None, Field(description="Where it is left at a loss.")] = None
    target_price: Annotated[_Price | None, Field(description="Where it is left with a gain.")] = (
        None
    )
    size_usd: Annotated[_Price | None, Field(description="Leverage included.")] = None


FORMS: Final[Mapping[OutputForm, type[RoleForm]]] = {
    "analyst_report": AnalystReport,
    "debate_argument": DebateArgument,
    "risk_assessment": RiskAssessment,
    "trader_proposal": TraderProposal,
    "portfolio_decision": PortfolioDecision,
}


def output_tool(form: str) -> dict[str, Any]:
    """Return the tool of a form, as the Messages API takes it in `tools`.

    Raises:
        InvalidInputError: there is no such form.
    """
    fields = FORMS[checked_form(form, "form")]
    schema = fields.model_json_schema()
    schema.pop("description", None)
    return {"name": form, "description": fields.__doc__, "input_schema": schema}


def forced_choice(form: str) -> dict[str, Any]:
    """Return the `tool_choice` that makes a model fill in a form.

    Raises:
        InvalidInputError: there is no such form.
    """
    return {
        "type": "tool",
        "name": checked_form(form, "form"),
        "disable_parallel_tool_use": True,
    }


def checked_form(form: object, field: str) -> OutputForm:
    """Return the name of a form.

    Raises:
        InvalidInputError: there is no such form.
    """
    if form in OUTPUT_FORMS:
        return cast(OutputForm, form)
    raise InvalidInputError(field, f"{short_repr(form)} is unknown", ", ".join(OUTPUT_FORMS))


def read_form(form: OutputForm, output: object, field: str) -> RoleForm:
    """Return what a role filled in.

    Args:
        output: a JSON object.
        field: its place in a run; prefix of the names in errors.

    Raises:
        InvalidInputError: the first field found to be wrong.
    """
    if not isinstance(output, dict):
        problem = f"{short_repr(output)} is not an object"
        raise InvalidInputError(field, problem, f"the fields of {form}")
    try:
        return FORMS[form].model_validate(output)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        # A key of others may be any text: it is named like any value.
        where = "".join(_step(part) for part in first["loc"])
        raise InvalidInputError(f"{field}{where}", *_told(form, first)) from None


def _step(part: int | str) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if part.isidentifier() and part.isascii() and len(part) < 40 else ""


def _told(form: OutputForm, error: Any) -> tuple[str, str]:
    given = error.get("input")
    match error["type"]:
        case "missing":
            return "is missing", f"the fields of {form}: {', '.join(FORMS[form].model_fields)}"
        case "extra_forbidden":
            return (
                f"has an unknown field {short_repr(error['loc'][-1])}",
                ", ".join(FORMS[form].model_fields),
            )
        case _:
            words = str(error["msg"]).removeprefix("Value error, must be ")
            words = words.removeprefix("Input should be ").removeprefix("Input should have ")
            return f"is {short_repr(given)}", words[0].lower() + words[1:]
