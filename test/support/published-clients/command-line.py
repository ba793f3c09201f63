"""The published command-line client, unmodified, in one process: a line of JSON on stdin is one command, its answer is a line on stdout."""

import json
import os
import sys

from dograh_ctl.main import app
from typer.testing import CliRunner

requests, answers = sys.stdin, sys.stdout
os.environ["COLUMNS"] = "250"  # tables are not wrapped
for line in requests:
    command = json.loads(line)
    result = CliRunner().invoke(app, command["arguments"], input=command.get("input"))
    print(json.dumps({"code": result.exit_code, "stdout": result.stdout, "stderr": result.stderr}), file=answers, flush=True)
