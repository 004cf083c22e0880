PYTHON ?= python3
# Without bytecode on disk every process of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin

.PHONY: play test lint bench pictures

play: .venv/installed
	@$(BIN)/arcade

test: lint
	@$(BIN)/pytest -n 4 --dist worksteal -m "not timed"
	@$(BIN)/pytest -m timed

lint: .venv/tested
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

bench: .venv/tested
	@$(BIN)/python -m benchmarks

pictures: .venv/tested
	@$(BIN)/python -m tools.pictures

.venv/installed: pyproject.toml
	@echo "Installing the arcade into .venv (half a minute, once) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/tested: .venv/installed
	@echo "Installing the tools of the tests into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
