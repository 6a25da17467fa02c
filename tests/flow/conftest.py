"""What stories share: the demo runs once for all of them."""

import subprocess

import pytest

from afterword.pipeline.testing.process import run_afterword


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """Run the demo, into a home that its page names."""
    return run_afterword("--home", str(tmp_path_factory.mktemp("demo")), "demo")
