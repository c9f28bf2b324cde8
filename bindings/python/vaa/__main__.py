"""python -m vaa: the command."""

import sys

from .cli import main

sys.exit(main())
