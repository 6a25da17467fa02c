"""The model that an agent asks which tags a turn needs, made when the first turn needs it."""

from threading import Lock
from typing import TYPE_CHECKING

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Stores
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.switches import Switches, tasks_of
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.prompts.turn_choice import CHOOSE_TURN_TAGS, TurnModel

if TYPE_CHECKING:  # pydantic: loaded by who reads the settings
    from afterword.pipeline.settings import Settings


class TurnModels:
    """Finds the fast model of one process and the mode of its task; threads may share it.

    Args:
        stores: the installation, whose budget pays.
    """

    def __init__(self, settings: "Settings", stores: Stores, clock: Clock, ids: IdSource) -> None:
        self._settings, self._stores = settings, stores
        self._clock, self._ids = clock, ids
        self._llm: Llm | None = None
        self._lock = Lock()

    def find(self) -> TurnModel | None:
        """Return the model to ask for a turn; None if none is set, or it cannot be asked at all."""
        try:
            llm = self._made()
            if llm is None:
                return None
            instance = self._stores.instance
            switches = Switches(instance, self._clock, tasks_of(all_areas()))
            return TurnModel(llm, switches.mode(CHOOSE_TURN_TAGS))
        except PipelineError:
            return None  # a turn must not fail; `afterword llm check --fast` names what is wrong

    def close(self) -> None:
        """Close the connections of the model, if it was asked."""
        with self._lock:
            if self._llm is not None:
                self._llm.close()
                self._llm = None

    def _made(self) -> Llm | None:
        from afterword.pipeline.gateway.llm.build import build_llm

        with self._lock:
            if self._llm is None:
                budget = Budget(
                    self._stores.instance, caps_of(self._settings), self._clock, self._ids
                )
                self._llm = build_llm(
                    self._settings,
                    self._stores.instance,
                    budget,
                    self._clock,
                    "agent",
                    fast=True,
                    deadline_s=self._settings.chat_intent_timeout_s,
                )
            return self._llm
