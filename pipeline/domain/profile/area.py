"""Declares the profile: what is known of the user, and the job that adds the traded markets."""

from typing import Final

from afterword.pipeline.core.area import (
    READS,
    AgentTool,
    Area,
    AreaAction,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaPage,
    AreaRoute,
    AreaTable,
    CronLine,
    DoctorCheck,
    ForgetPlace,
    Kind,
    gauge,
)

_LINEAGE: Final = "afterword.pipeline.domain.profile.lineage"

UPDATE_MARKETS: Final = Kind("update_markets")
"""Payload: `{}`."""

_ANSWERED: Final = (
    "EXISTS (SELECT 1 FROM onboarding_answers AS told, json_each(:memories) AS forgotten"
    " WHERE told.memory_id = forgotten.value AND told.question = user_tags.dimension"
    " AND told.answer = user_tags.value)"
)
"""Whether an answer that is forgotten declared the tag."""

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="profile",
    tables=(
        AreaTable("user_tags", quiet="dimension value source"),
        AreaTable("financial_profile"),
        AreaTable("onboarding_answers", quiet="question"),
    ),
    exports=(
        AreaExport("user_tags", "user_tags", key="dimension source since", order=40, trust="known"),
        AreaExport(
            "financial_profile",
            "financial_profile",
            key="updated_at",
            order=50,
            leaves="id prompt_id",
            trust="known",
            write="afterword.pipeline.domain.profile.carried:write_carried_profiles",
        ),
        AreaExport(
            "onboarding_answers",
            "onboarding_answers",
            key="question answered_at",
            order=60,
            links="memory_id=memories",
            trust="known",
        ),
    ),
    places=(
        ForgetPlace("user_tags", order=21, words=("value",), names=_ANSWERED),
        ForgetPlace(
            "onboarding_answers",
            order=22,
            words=("answer",),
            names="memory_id IN (SELECT value FROM json_each(:memories))",
        ),
        # The flags of a row are the owner's choice: of words that are forgotten they stay.
        ForgetPlace(
            "financial_profile",
            order=23,
            words=("custom_prompt",),
            blank="custom_prompt = NULL, prompt_id = NULL",
        ),
        ForgetPlace(
            "financial_profile",
            order=24,
            words=("platform_wallet_summary", "reference_wallets_summary"),
            json=("reference_wallets_json",),
            blank="platform_wallet_summary = NULL, reference_wallets_summary = NULL,"
            " reference_wallets_json = '[]'",
        ),
    ),
    lineage=(
        AreaLineage("tag", f"{_LINEAGE}:tag_lineage", order=100),
        AreaLineage("observed_tag", f"{_LINEAGE}:observed_lineage", order=101),
        AreaLineage("answer", f"{_LINEAGE}:answer_lineage", order=102),
        AreaLineage("profile", f"{_LINEAGE}:profile_lineage", order=103),
        AreaLineage("portrait", f"{_LINEAGE}:portrait_memory", order=104),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.profile:check_profile", order=85
        ),
    ),
    metrics=(
        gauge(
            "profile_tags",
            "Tags of users by who says them: `user`, `learned_preference` or `inferred`; tags.",
            "source",
        ),
        gauge(
            "profile_onboarded_groups",
            "Groups whose user answered the questions of the onboarding; groups.",
        ),
    ),
    numbers=("afterword.pipeline.domain.profile.metrics:ProfileNumbers",),
    jobs=(
        AreaJob(
            UPDATE_MARKETS,
            "afterword.workers.actors.profile:update",
            queue="quick",
            has_work="afterword.pipeline.domain.profile.has_work:markets_due",
        ),
    ),
    # Asked often and cheaply: the rule says when a look is due.
    cron=(CronLine("profile.markets", "*/10 * * * *", job="update_markets", jitter_s=60),),
    tools=(
        AgentTool(
            "personalization_snapshot",
            "afterword.pipeline.doors.agent.profile:personalization_snapshot",
            READS,
            order=92,
        ),
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/profile",
            "afterword.pipeline.doors.http.routes.profile:get_profile",
            "agent owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/profile/onboarding",
            "afterword.pipeline.doors.http.routes.profile:get_onboarding",
            "agent owner observer",
        ),
        AreaRoute(
            "POST",
            "/v1/profile/onboarding",
            "afterword.pipeline.doors.http.routes.profile:onboard",
            "owner",
        ),
    ),
    pages=(
        AreaPage("/profile", f"{_PAGES}.profile:profile", "Profile", "memory", 160),
        AreaPage("/profile/tags/{tag}", f"{_PAGES}.tags:tag", "Tag", "", 161, shows="user tag"),
    ),
    actions=(
        AreaAction("/profile/onboarding", f"{_PAGES}.profile:onboard"),
        AreaAction("/profile/tags/{tag}/set", f"{_PAGES}.tags:declare"),
        AreaAction("/profile/tags/{tag}/clear", f"{_PAGES}.tags:clear"),
    ),
)
