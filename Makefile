PYTHON ?= python3
# Without bytecode on disk every process of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin

.PHONY: play test test-all lint style types matrix bench coverage results pictures man

play: .venv/installed
	@$(BIN)/arcade

# The arcade itself is checked as on other systems too, each with a cache of its own.
TYPES = for system in win32 darwin; do \
	  $(BIN)/mypy --platform $$system --cache-dir .mypy_cache/$$system arcade || exit; \
	done; $(BIN)/mypy

# Style and types are checked beside the tests, which often wait for something; what they say comes at the end.
# Kernels are compiled before, once and not by each worker.
test: .venv/tested
	@said=`mktemp`; $(MAKE) --no-print-directory lint > $$said 2>&1 & \
	$(BIN)/arcade warm > /dev/null; \
	$(BIN)/pytest -n 4 --dist worksteal -m "not slow and not timed"; tests=$$?; \
	wait $$!; lint=$$?; cat $$said; rm $$said; exit $$((tests + lint))

test-all: test
	@$(BIN)/pytest -n 4 --dist worksteal -m slow
	@$(BIN)/pytest -m timed `grep -rl --include='*.py' mark.timed tests`

lint: style types

style: .venv/tested
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/codespell
	@$(BIN)/python -m tools.prose

types: .venv/tested
	@$(TYPES)

matrix: .venv/tested
	@$(BIN)/nox

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
	@$(BIN)/python -m pip install --quiet --editable . --group dev --group snapshots
	@echo "Compiling kernels, and reading the types of the libraries for three systems (a minute, once) ..."
	@($(TYPES)) > /dev/null 2>&1 & $(BIN)/arcade warm > /dev/null; \
	$(BIN)/python -c "from tools.pawns import pawns; pawns(3, 3)"; wait
	@touch $@
