"""A skill file is run only if nobody but its user, or root, could have written it."""

import grp
import os
import pwd
import py_compile
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from types import SimpleNamespace

import pytest

from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.process import run_afterword

NOBODY = 65534
NAMELESS = 54321
IS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give a file away")

DESK = """
from pathlib import Path
from afterword import Manual, ReflectionPolicy, Role, Skill
Path({ran!r}).touch()
policy = ReflectionPolicy(Manual(), 0, 48)
DESK = Skill('desk', (Role('desk', 'M', ('late',), '{{decision}}', policy),))
"""


@pytest.fixture
def desk(home: Path, tmp_path: Path) -> Path:
    """Write a skill file that leaves a trace when it is run."""
    path = home / "skills" / "desk.py"
    path.parent.mkdir(parents=True, mode=0o755)
    path.write_text(DESK.format(ran=str(tmp_path / "ran")))
    path.chmod(0o644)
    return path


def behind_a_link(home: Path, desk: Path) -> None:
    desk.symlink_to(desk.rename(home.parent / "desk.py"))


def in_a_linked_folder(home: Path, desk: Path) -> None:
    desk.parent.symlink_to(desk.parent.rename(home.parent / "mine"))


def with_two_names(home: Path, desk: Path) -> None:
    (home.parent / "desk.py").hardlink_to(desk)


def as_a_pipe(home: Path, desk: Path) -> None:
    desk.unlink()
    os.mkfifo(desk, 0o600)


def open_to(mode: int, *parts: str) -> Callable[[Path, Path], None]:
    return lambda home, _desk: home.joinpath(*parts).chmod(mode)


def given_to(user: int, *parts: str) -> Callable[[Path, Path], None]:
    return lambda home, _desk: os.chown(home.joinpath(*parts), user, -1)


def of_a_group(group: int, *parts: str) -> Callable[[Path, Path], None]:
    def change(home: Path, _desk: Path) -> None:
        os.chown(home.joinpath(*parts), -1, group)
        home.joinpath(*parts).chmod(0o775)

    return change


REFUSED = [
    pytest.param(open_to(0o777), "may be written by every user; accepted: chmod o-w", id="home"),
    pytest.param(
        open_to(0o1777), "may be written by every user; accepted: chmod o-w", id="sticky home"
    ),
    pytest.param(open_to(0o777, "skills"), "skills: may be written by every user", id="folder"),
    pytest.param(
        open_to(0o666, "skills", "desk.py"), "skills/desk.py: may be written by every", id="file"
    ),
    pytest.param(behind_a_link, "skills/desk.py: is a symbolic link", id="link"),
    pytest.param(in_a_linked_folder, "skills: is a symbolic link", id="linked folder"),
    pytest.param(with_two_names, "skills/desk.py: has 2 hard links", id="hard link"),
    pytest.param(as_a_pipe, "skills/desk.py: is not a regular file", id="pipe"),
    *(
        pytest.param(
            given_to(NOBODY, *parts), "belongs to nobody, not to root", id=name, marks=needs_root
        )
        for name, parts in {
            "home of another": (),
            "folder of another": ("skills",),
            "file of another": ("skills", "desk.py"),
        }.items()
    ),
    *(
        pytest.param(
            of_a_group(NAMELESS, *parts),
            f"may be written by the group {NAMELESS}; accepted: chmod g-w",
            id=f"group's {name}",
            marks=needs_root,
        )
        for name, parts in {
            "home": (),
            "folder": ("skills",),
            "file": ("skills", "desk.py"),
        }.items()
    ),
]


@pytest.mark.parametrize(("change", "said"), REFUSED)
def test_what_somebody_else_could_have_written_is_not_run(
    home: Path, desk: Path, tmp_path: Path, command, change, said: str
):
    change(home, desk)
    refused = command("role", "list")

    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
    assert not (tmp_path / "ran").exists()


@needs_root
def test_a_process_refuses_the_file_of_another_user_and_other_commands_go_on(
    home: Path, desk: Path, tmp_path: Path
):
    os.chown(desk, NOBODY, -1)
    refused = run_afterword("role", "list", home=home)
    written = run_afterword("memory", "write", "preference", "Likes tea", home=home)

    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert f"chown root {desk}" in refused.stderr
    assert not (tmp_path / "ran").exists()
    assert written.returncode == 0
    os.chown(desk, os.geteuid(), -1)
    assert "desk" in run_afterword("role", "list", home=home).stdout


@pytest.mark.parametrize(
    ("members", "primary", "is_own"),
    [
        pytest.param([], ["me"], True, id="the user's own group"),
        pytest.param(["me"], [], True, id="a group that lists the user alone"),
        pytest.param(["me", "root"], [], True, id="root may write everything"),
        pytest.param(["me", "other"], [], False, id="another member"),
        pytest.param([], ["me", "other"], False, id="the first group of another"),
        pytest.param([], [], False, id="no known member"),
    ],
)
def test_a_group_may_write_it_if_only_its_user_is_in_it(
    home: Path, desk: Path, monkeypatch: pytest.MonkeyPatch, members, primary, is_own: bool
):
    """Many systems give each user a group of its own, and the umask 002."""
    numbers = {"me": os.geteuid(), "root": 0, "other": 4321}
    accounts = {
        name: SimpleNamespace(
            pw_name=name,
            pw_uid=uid,
            pw_gid=desk.stat().st_gid if name in primary else NAMELESS,
        )
        for name, uid in numbers.items()
    }
    monkeypatch.setattr(pwd, "getpwnam", accounts.__getitem__)
    monkeypatch.setattr(pwd, "getpwall", lambda: list(accounts.values()))
    monkeypatch.setattr(
        grp, "getgrgid", lambda _gid: SimpleNamespace(gr_name="desk", gr_mem=members)
    )
    for path, mode in ((home, 0o775), (desk.parent, 0o775), (desk, 0o664)):
        path.chmod(mode)

    if is_own:
        assert load_roles(home).role("desk").label == "M"
    else:
        with pytest.raises(InvalidInputError, match="written by the group desk"):
            load_roles(home)


def test_bytecode_beside_a_file_is_not_run(home: Path, desk: Path, tmp_path: Path):
    """Whoever wrote into `__pycache__` would have their code run instead of the file's."""
    planted = tmp_path / "planted.py"
    planted.write_text(desk.read_text().replace("'M'", "'X'"))
    os.utime(planted, (desk.stat().st_mtime, desk.stat().st_mtime))
    os.utime(desk, (desk.stat().st_mtime, desk.stat().st_mtime))
    py_compile.compile(
        str(planted),
        cfile=cache_from_source(str(desk)),
        doraise=True,
    )

    assert load_roles(home).role("desk").label == "M"


def test_a_checked_file_may_lie_anywhere_and_its_writers_count_too(
    home: Path, desk: Path, tmp_path: Path, command
):
    file = desk.rename(tmp_path / "trial.py")
    tmp_path.chmod(0o777)
    assert command("skill", "check", str(file)).code == 0

    file.chmod(0o666)
    assert f"{file}: may be written by every user" in command("skill", "check", str(file)).err
