"""The page docs/benchmarks.md, made of bench-results/bench.json.

python -m benchmarks.page > docs/benchmarks.md
"""

import importlib

from benchmarks.run import NAMES, stored, with_unit

HEAD = """# Benchmarks

How long things take beside another way of doing the same: ratios measured side by side in one run, on a small shared
machine. `make bench` runs them all, `python -m benchmarks.run NAME` one of them, and this page is made by
`python -m benchmarks.page > docs/benchmarks.md`. Only ratios carry over to other machines.
"""


def main() -> None:
    print(HEAD)
    results = stored()
    for name in NAMES:
        if name not in results:
            continue
        documentation = (importlib.import_module(f"benchmarks.{name}").__doc__ or "").strip()
        print(f"## {name}\n\n{documentation}\n")
        print("| what | ours | theirs | ratio | target |\n| --- | ---: | ---: | ---: | ---: |")
        for line in results[name]["rows"]:
            ratio = "" if line["ratio"] is None else f"{line['ratio']:.2f}×"
            met = {True: " met", False: " **missed**", None: ""}[line["met"]]
            cells = (line["what"], with_unit(line["ours"], line["unit"]), with_unit(line["theirs"], line["unit"]))
            print(f"| {' | '.join(cells)} | {ratio} | {(line['target'] or '') + met} |")
        machine = results[name]["machine"]
        versions = ", ".join(f"{package} {machine[package]}" for package in ("jax", "numpy", "scikit-learn", "torch"))
        print(f"\n{machine['cpus']} cores, Python {machine['python']}, {versions}; {results[name]['when']}.\n")


if __name__ == "__main__":
    main()
