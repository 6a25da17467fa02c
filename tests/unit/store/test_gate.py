"""The order of the writers of one process."""

import threading
import time
from pathlib import Path

from afterword.pipeline.core.store.gate import WriteGate

HOLD_S = 0.02
"""Long enough for a woken thread to take the gate; seconds."""


def test_a_writer_passes_the_patient_ones_of_its_process(tmp_path: Path):
    gate = WriteGate(tmp_path / "group.sqlite.lock", timeout_s=10)
    order: list[str] = []

    def write(name: str, patiently: bool) -> None:
        with gate.held(patiently=patiently):
            order.append(name)
            time.sleep(HOLD_S)

    patient = [threading.Thread(target=write, args=("patient", True)) for _ in range(6)]
    usual = threading.Thread(target=write, args=("usual", False))
    with gate.held():
        for one in (*patient, usual):
            one.start()
        time.sleep(HOLD_S)
    for one in (*patient, usual):
        one.join()

    assert order.index("usual") <= 2
    assert len(order) == 7
