"""The page docs/benchmarks.md, made of bench-results/bench.json.

python -m benchmarks.page > docs/benchmarks.md
"""

import importlib

from benchmarks.run import NAMES, stored, with_unit

HEAD = """# Benchmarks

How fast this package is compared with other ways of doing the same thing, and a few other measurements. Both sides run
in turn on the same small, shared machine, so look at the ratios: only they carry over to other machines. `make bench`
runs everything, `python -m benchmarks.run NAME` one benchmark, and `python -m benchmarks.page > docs/benchmarks.md`
writes this page.
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
