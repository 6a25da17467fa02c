"""The steps of the learning loop as areas declare them; `test_added_area` adds one."""

from afterword.pipeline.areas import AREAS
from afterword.pipeline.core.area import load
from afterword.pipeline.operations.loop.model import steps_asked, steps_of_pass
from afterword.schedules.table import TABLE


def test_every_step_is_named_for_its_job_and_what_is_scheduled_says_when_it_is_due():
    scheduled = {entry.job for entry in TABLE}
    for area in AREAS:
        for job in area.jobs:
            if job.step:
                step = load(job.step.step)
                assert step.name == job.kind.name
                assert step.due is not None or job.kind.name not in scheduled


def test_a_step_follows_steps_that_come_before_it():
    names = [step.name for step in steps_of_pass()]
    for place, step in enumerate(steps_of_pass()):
        assert {*step.follows} <= {*names[:place]}


def test_a_person_is_told_of_outcomes_that_wait_in_a_replay_for_the_next_pass():
    assert [step.name for step in steps_of_pass()] == [
        *("measure_outcomes", "reflect_institution_runs", "reflect_entries", "weigh_patterns"),
        *("word_patterns", "mine_preferences", "synthesize_methodologies", "audit_methodologies"),
    ]
    assert [step.name for step in steps_asked()] == [
        *("reflect_entries", "measure_outcomes", "weigh_patterns", "word_patterns"),
    ]
