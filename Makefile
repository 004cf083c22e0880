PYTHON ?= python3
# Without bytecode on disk every process of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin

.PHONY: play test lint matrix bench coverage results pictures man

play: .venv/installed
	@$(BIN)/arcade

# Kernels are compiled while the sources are checked, once and not by each worker.
test: .venv/tested
	@$(BIN)/arcade warm > /dev/null & $(MAKE) --no-print-directory -j 2 lint && wait
	@$(BIN)/pytest -n 3 --dist worksteal -m "not timed"
	@$(BIN)/pytest -m timed `grep -rl --include='*.py' mark.timed tests`

# The arcade itself is checked as on other systems too, each with a cache of its own.
OTHERS := win32 darwin

lint: .venv/tested $(OTHERS:%=lint-%)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

lint-%: .venv/tested
	@$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* arcade

matrix: .venv/tested
	@$(BIN)/python -m tools.matrix

bench: .venv/tested
	@$(BIN)/python -m benchmarks

# The kernels count in their Python form, on small cases. A child that a test has killed may leave half a file.
coverage: .venv/tested
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -n 3 --dist worksteal -m "not timed" --ignore tests/test_pty.py
	@PLAIN_KERNELS=1 $(BIN)/coverage run -m pytest tests/kernels
	@for file in .coverage.*; do $(BIN)/coverage combine --append --quiet $$file || rm -f $$file; done
	@$(BIN)/coverage report --fail-under 97

man: .venv/tested
	@$(BIN)/python -m tools.manpage

results: .venv/tested
	@$(BIN)/python -m tools.results

pictures: .venv/tested
	@$(BIN)/python -m tools.pictures

.venv/installed: pyproject.toml
	@echo "Installing the arcade into .venv (half a minute, once) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/tested: .venv/installed
	@echo "Installing the tools of the tests into .venv ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@
