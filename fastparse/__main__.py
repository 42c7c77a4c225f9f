"""``python -m fastparse`` is the ``fastparse`` command."""

from fastparse.cli.main import main

if __name__ == "__main__":
    main()
