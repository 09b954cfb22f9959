"""The command line where no script is on the path: `python -m unabases`."""

from unabases.cli.main import run

if __name__ == "__main__":
    run()
