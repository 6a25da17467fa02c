"""The speed of an export and of its import into another home, and whether memory stays flat."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from benchmarks import texts
from benchmarks.answer import Answer, Target, answers, note

_AT_ONCE: Final = 5_000
_CHILD: Final = """
import json, resource, sys, time
from pathlib import Path
from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.ids import random_uid
from afterword.pipeline.operations.portability.export import export_group
from afterword.pipeline.operations.portability.import_folder import ImportPlace, import_folder
from afterword.pipeline.operations.portability.model import ExportRequest, ImportRequest

verb, home, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
options = StoreOptions()
stores = Stores(home, options, system_clock, random_uid)
areas = all_areas()
began = time.process_time(), time.monotonic()
if verb == "export":
    request = ExportRequest(is_signed=True)
    text = lambda store: (lambda asset: asset)
    export_group(stores, "main", folder, request, areas, text, system_clock)
else:
    place = ImportPlace(stores, "main", options, system_clock, random_uid, embeds=False)
    import_folder(place, folder, ImportRequest(), areas)
print(json.dumps({
    "cpu_s": time.process_time() - began[0],
    "wall_s": time.monotonic() - began[1],
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def ask(memories: int) -> Answer:
    """Export and import so many memories, and a quarter of them: the peaks should be the same."""
    few, many = (_taken_along(number) for number in (memories // 4, memories))
    measured: dict[str, float] = {}
    targets: dict[str, Target] = {}
    for verb in ("export", "import"):
        measured[f"{verb}_per_cpu_s"] = memories / many[verb]["cpu_s"]
        measured[f"{verb}_peak_mb"] = many[verb]["peak_mb"]
        measured[f"{verb}_peak_growth"] = many[verb]["peak_mb"] / few[verb]["peak_mb"]
        targets[f"{verb}_per_cpu_s"] = Target(at_least=1_000)
        targets[f"{verb}_peak_growth"] = Target(at_most=1.25)
    return Answer("portability", measured, targets=targets, sizes={"memories": memories})


def _taken_along(memories: int) -> dict[str, dict[str, Any]]:
    """Return processor seconds and peak of an export and an import, each in its own process."""
    with tempfile.TemporaryDirectory() as lent:
        top = Path(lent)
        stores = Stores(top / "home", StoreOptions(), system_clock, random_uid)
        writer = Writer(stores.group("main", create=True), system_clock, random_uid)
        news = texts.memories(memories)
        for start in range(0, memories, _AT_ONCE):
            write_memories(writer, news[start : start + _AT_ONCE])
        stores.close()
        done = {"export": _child("export", top / "home", top / "export")}
        done["import"] = _child("import", top / "other", top / "export")
    for verb, told in done.items():
        rate = memories / told["cpu_s"]
        note(f"portability: {verb} of {memories:,}: {rate:,.0f}/s, {told['peak_mb']:.0f} MB")
    return done


def _child(verb: str, home: Path, folder: Path) -> dict[str, Any]:
    line = [sys.executable, "-c", _CHILD, verb, str(home), str(folder)]
    answer: dict[str, Any] = json.loads(subprocess.check_output(line, text=True))
    return answer


if __name__ == "__main__":
    answers(ask, memories=(int, 40_000, "memories that are taken along"))
