"""Asks the real FastAPI and Pydantic for every case and writes test/contract/golden-422.json.gz.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install -r tools/golden-422/requirements.txt
    /tmp/golden/bin/python tools/golden-422/produce.py

Never edit the answers by hand: add a case to cases.py and produce again.
"""

import base64
import gzip
import importlib.metadata
import json
import pathlib
import platform

from fastapi.testclient import TestClient

from cases import CASES
from models import create_app

TARGET = pathlib.Path(__file__).parents[2] / "test" / "contract" / "golden-422.json.gz"


def ask(client: TestClient, case: dict) -> dict:
    headers = {"X-API-Key": "good", **case["headers"]}
    headers = {name: value for name, value in headers.items() if value is not None}
    answer = client.request(case["method"], case["path"], content=case["body"], headers=headers)
    record = {"name": case["name"], "method": case["method"], "path": case["path"], "headers": headers}
    if case["body"] is not None:
        record["bodyBase64"] = base64.b64encode(case["body"]).decode()
        record["bodyShown"] = case["body"][:200].decode("utf-8", "backslashreplace")
    return {**record, "status": answer.status_code, "answer": answer.json()}


def main() -> None:
    client = TestClient(create_app(), follow_redirects=False)
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names), "each case has a name of its own"
    golden = {
        "producedBy": {"python": platform.python_version(), **{name: importlib.metadata.version(name) for name in ["fastapi", "starlette", "pydantic", "pydantic_core"]}},
        "cases": [ask(client, case) for case in CASES],
    }
    text = json.dumps(golden, indent=1, ensure_ascii=True) + "\n"
    TARGET.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    refused = sum(case["status"] == 422 for case in golden["cases"])
    print(f"{len(CASES)} cases, {refused} of them 422, written to {TARGET}")


if __name__ == "__main__":
    main()
