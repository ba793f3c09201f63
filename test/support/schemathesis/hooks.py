"""What a generator of requests cannot read from a description."""

import ast
import os
import threading
from uuid import uuid4

import jsonschema_rs
import schemathesis

# Python 3.11 before 3.11.8 counts the recursion depth of all threads together (python/cpython#106905): two threads that parse source at once fail with a SystemError.
one_reader = threading.Lock()
read_source = ast.parse


def read_source_alone(*args, **kwargs):
    with one_reader:
        return read_source(*args, **kwargs)


ast.parse = read_source_alone

own_key_id = os.environ["OWN_KEY_ID"]
# PUT at these paths is PUT at `/workflow/{workflow_id}`, as on the published servers of this interface; the same goes for words next to other ids.
not_only_theirs = {
    *(("PUT", f"/api/v1/workflow/{name}") for name in ("count", "fetch", "overview", "summary", "templates")),
    *((method, f"/api/v1/campaign/{name}") for method in ("GET", "PATCH") for name in ("create", "estimate")),
    *(("DELETE", f"/api/v1/suppressions/{name}") for name in ("export", "import")),
}
words = {**dict.fromkeys(["1", "true", "t", "yes", "y", "on"], True), **dict.fromkeys(["0", "false", "f", "no", "n", "off"], False)}


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """A right `Idempotency-Key` is a fresh one, and a right `If-Match` names the record as it is."""
    if case.meta is not None and case.meta.generation.mode.is_positive:
        if case.headers.get("Idempotency-Key"):
            case.headers["Idempotency-Key"] = str(uuid4())
        if case.headers.get("If-Match"):
            case.headers["If-Match"] = "*"


@schemathesis.hook
def filter_case(ctx, case):
    """The key that the requests carry stays, and a body that is right once it is read laxly is not wrong (contract 0.4)."""
    if str((case.path_parameters or {}).get("api_key_id")) == own_key_id or (case.method, case.path) in not_only_theirs:
        return False
    if case.meta is None or case.meta.generation.mode.is_positive or not isinstance(case.body, (dict, list)):
        return True
    definition = case.operation.definition.raw
    if "application/json" not in definition.get("requestBody", {}).get("content", {}):
        return True
    document = case.operation.schema.raw_schema
    schema = definition["requestBody"]["content"]["application/json"]["schema"]
    is_same = (read := read_laxly(case.body, schema, document)) == case.body and repr(read) == repr(case.body)
    return is_same or not is_valid(read, schema, document)


@schemathesis.check
def described_data_is_accepted(ctx, response, case):
    """What fits the description may meet a rule that no schema can tell (`value_error`, or a refusal in words), but no other field fault."""
    if response.status_code != 422 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    detail = response.json()["detail"]
    if isinstance(detail, list):
        # Vendors of models are listed by a route, and what a tool takes stands in the tool.
        elsewhere = {"provider", "llm_params", "preset_params"}
        # A link that was inferred from a field with null writes it into a path as `None`.
        faults = [each for each in detail if "msg" in each and each["type"] != "value_error" and elsewhere.isdisjoint(each["loc"]) and not (each["loc"][0] == "path" and each.get("input") == "None")]
        assert not faults, f"fits the description and is refused: {faults}"


def is_valid(value, schema, document):
    return jsonschema_rs.validator_for({**schema, "components": document.get("components", {})}).is_valid(value)


def read_laxly(value, schema, document):
    """`"600"`, `10.0` and `true` as the integers, `"yes"` and `1` as the booleans, that the API makes of them."""
    schema = resolved(schema, document)
    for option in schema.get("anyOf", []):
        if is_valid(read := read_laxly(value, option, document), option, document):
            return read
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        return {name: read_laxly(each, fields.get(name, {}), document) for name, each in value.items()}
    if isinstance(value, list):
        return [read_laxly(each, schema.get("items", {}), document) for each in value]
    types = schema.get("type", [])
    return read_scalar(value, [types] if isinstance(types, str) else types)


def resolved(schema, document):
    while "$ref" in schema:
        place = document
        for part in schema["$ref"].split("/")[1:]:
            place = place[part]
        schema = place
    return schema


def read_scalar(value, types):
    if "boolean" in types and not isinstance(value, bool):
        word = value.lower() if isinstance(value, str) else str(int(value)) if value in (0, 1) else None
        return words.get(word, value)
    if ("integer" in types or "number" in types) and isinstance(value, (str, bool)):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            return value
        return int(number) if number.is_integer() else number
    return value
