# Everything starts here. `make` alone lists what there is.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

help:            ## list the targets
	@awk -F':.*##' '/^[a-z]+:.*##/ {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,demo]'
	touch $(READY)

demo: $(READY)   ## real prices, a rule's trades, every job run to its end, in one process
	$(BIN)/afterword demo

test: $(READY)   ## unit, flow, contract and docs tests, in minutes
	@command -v redis-server >/dev/null || echo "no redis-server on the PATH: tests marked 'redis' are left out; the rest runs in-process"
	$(BIN)/pytest -m "not crash"

crash: $(READY)  ## real processes killed at named points, a real redis-server
	@command -v redis-server >/dev/null || echo "no redis-server on the PATH: tests marked 'redis' are left out"
	$(BIN)/pytest -m crash

check: fmt lint type imports test crash   ## everything CI runs

fmt: $(READY)    ## formatting, checked
	$(BIN)/ruff format --check .

lint: $(READY)   ## ruff
	$(BIN)/ruff check .

type: $(READY)   ## mypy --strict
	$(BIN)/mypy

imports: $(READY) ## who may import whom (import-linter)
	$(BIN)/lint-imports

bench: $(READY)  ## one JSON line per question, beside the targets
	$(BIN)/python -m benchmarks

up: $(READY)     ## everything in one process, no server
	$(BIN)/afterword up

clean:           ## remove what the targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help demo test crash check fmt lint type imports bench up clean
.DEFAULT_GOAL := help
