"""Declares replays: their tables, empty in a group's file, and the jobs of their slices."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaJob,
    AreaPage,
    AreaRoute,
    AreaTable,
    ForgetPlace,
    Kind,
)

RUN_SLICE: Final = Kind("run_replay_slice", deadline_s=1200.0)
JUDGE_SLICE: Final = Kind("judge_replay_slice", deadline_s=1200.0)
"""A slice whose judge is a model: it waits for the budget, which a rule does not need."""

_ACTOR: Final = "afterword.workers.actors.replay:run_slice"

FLEET: Final = "afterword.schedules.replay.run:run_with_fleet"
"""Runs a replay through the workers; loaded only where a Redis server is set."""

AREA: Final = Area(
    name="replay",
    tables=(
        AreaTable("replay_runs", quiet="settings settings_hash state state_hash"),
        AreaTable("replay_decisions", quiet="maker role_id"),
        AreaTable("replay_links", quiet="digest chain"),
    ),
    # No lock: a slice holds the only writer of its file from begin to end.
    jobs=(
        AreaJob(RUN_SLICE, _ACTOR, queue="replay"),
        AreaJob(JUDGE_SLICE, _ACTOR, queue="replay", spends="experiment", asks="llm"),
    ),
    # Before the decisions that are made of it.
    places=(ForgetPlace("replay_decisions", order=65, words=("key",), json=("body",)),),
    commands=(
        AreaCommand(
            "replay",
            "afterword.pipeline.doors.commands.replay.app:app",
            "Run the learning loop over the past, and compare runs.",
            order=59,
        ),
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/replays",
            "afterword.pipeline.doors.http.routes.operator:list_all_replays",
            "owner observer",
        ),
    ),
    pages=(
        AreaPage(
            "/replays",
            "afterword.pipeline.doors.web.operator.replays:replays",
            "Replays",
            "operator",
            order=270,
            needs_group=False,
        ),
        AreaPage(
            "/replays/{replay}",
            "afterword.pipeline.doors.web.operator.replays:one_replay",
            "Replay",
            "",
            order=271,
            shows="replay",
            needs_group=False,
        ),
    ),
)
