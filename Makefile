# `make demo` and `make test` set up what they need in .venv; nothing else is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH := .venv-bench
TESTS ?= tests
# Without it scikit-learn skips one of its checks.
export SCIPY_ARRAY_API := 1

.PHONY: demo test quick lint types bench clean

demo: $(READY)
	$(BIN)/unabases demo

test: $(READY)
	$(BIN)/python -m pytest -n 2 $(TESTS)

quick: $(READY)
	$(BIN)/python -m pytest -n 2 -m "not slow" $(TESTS)

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY)
	$(BIN)/pyright

bench: $(BENCH)/.ready
	$(BENCH)/bin/python -m benchmarks.run

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "unabases needs Python 3.11 or later; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

# PyTorch first and exactly so: a CPU build where one is at hand, and no later package may replace it.
$(BENCH)/.ready: pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install --quiet torch==2.13.0
	echo 'torch==2.13.0' > $(BENCH)/constraints.txt
	$(BENCH)/bin/pip install --quiet --constraint $(BENCH)/constraints.txt --editable '.[bench]'
	$(BENCH)/bin/pip uninstall --quiet --yes torchvision  # built for another PyTorch, and nothing here uses it
	touch $@

clean:
	rm -rf $(VENV) $(BENCH) demo bench-results
