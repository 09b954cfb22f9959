"""The command line where no script is on the path: `python -m unabases`."""

from unabases.cli.start import run

if __name__ == "__main__":
    run()
