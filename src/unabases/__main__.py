"""The command line where no script is on the path: `python -m unabases`."""

from unabases.cli.main import app

if __name__ == "__main__":
    app(prog_name="unabases")
