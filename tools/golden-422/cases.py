"""The requests of the golden set. Every answer comes from produce.py."""

import json
from typing import Any, Optional

CASES: list[dict] = []
DEFINITION = "/api/v1/workflow/create/definition"
AGENT = "/api/v1/workflow/7"
SESSIONS = "/api/v1/workflow/7/text-chat/sessions"
CREDENTIALS = "/api/v1/credentials/"
MISSING = object()


def add(name: str, method: str, path: str, body: Any = MISSING, headers: Optional[dict] = None) -> None:
    """`body`: bytes are sent as they are, anything else as ASCII JSON; a header of None is not sent."""
    given = dict(headers or {})
    raw = None
    if body is not MISSING:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Content-Type": "application/json", **given}
    CASES.append({"name": name, "method": method, "path": path, "body": raw, "headers": given})


def create(name: str, body: Any = MISSING, headers: Optional[dict] = None) -> None:
    add(f"create: {name}", "POST", DEFINITION, body, headers)


def update(name: str, body: Any = MISSING, headers: Optional[dict] = None, path: str = AGENT) -> None:
    add(f"update: {name}", "PUT", path, body, headers)


def settings(name: str, value: Any) -> None:
    update(f"settings: {name}", {"workflow_configurations": value})


GRAPH = {"nodes": [], "edges": []}
BODIES = {"null": None, "array": [], "string": "x", "number": 3, "float": 1.5, "true": True, "empty object": {}}

# The body as a whole
for label, value in BODIES.items():
    create(f"body is {label}", value)
create("no body")
create("no body, content type json", b"")
create("white space only", b"  \n ")
update("no body")
add("message: no body", "POST", f"{SESSIONS}/3/messages")
add("session: no body", "POST", SESSIONS)
add("end: null", "POST", f"{SESSIONS}/3/end", None)
add("rewind: no body", "POST", f"{SESSIONS}/3/rewind")
for label, body in {
    "empty": {},
    "nulls": {"cursor_turn_id": None, "expected_revision": None},
    "all kinds of faults": {"cursor_turn_id": 5, "expected_revision": "two"},
    "fraction of a revision": {"cursor_turn_id": "a", "expected_revision": 1.5},
}.items():
    add(f"rewind: {label}", "POST", f"{SESSIONS}/3/rewind", body)

# Content types
VALID = json.dumps({"name": "a", "workflow_definition": GRAPH}).encode()
for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json", None, "", "json"]:
    create(f"content type {content_type!r}", VALID, {"Content-Type": content_type})
for content_type in ["application/vnd.api+json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/problem+json;x=1"]:
    create(f"content type {content_type!r}", VALID, {"Content-Type": content_type})
create("plain text that is no JSON", "grüße".encode(), {"Content-Type": "text/plain"})

# Broken JSON: messages and character offsets
for label, text in {
    "open object": "{",
    "open string": '{"a',
    "single quotes": "{'a': 1}",
    "no colon": '{"a" 1}',
    "no comma": '{"a": 1 "b": 2}',
    "no comma in array": "[1 2]",
    "trailing comma object": '{"a": 1,}',
    "trailing comma array": "[1,]",
    "lone comma": "[,1]",
    "open array": "[1",
    "open array after comma": "[1, ",
    "no value": '{"a": }',
    "extra data": "{} x",
    "two values": "1 2",
    "bare word": "hello",
    "half word": "tru",
    "capital word": "True",
    "leading zero": '{"a": 01}',
    "plus": "[+1]",
    "dot first": "[.5]",
    "dot last": "[1.]",
    "bare exponent": "[1e]",
    "minus alone": "[-]",
    "hex": "[0x10]",
    "bad escape": '["\\x"]',
    "short unicode escape": '["\\u12"]',
    "bad unicode escape": '["\\u12G4"]',
    "escape at end": '["\\',
    "control character": '["a\tb"]',
    "line break in string": '["a\nb"]',
    "comment": '{"a": 1 // no\n}',
    "offset after wide letters": '{"ключ": "значение" x}',
    "offset after astral letters": '{"😀😀": "😀" x}',
    "offset on a later line": '{\n  "a": 1,\n  "b": }',
    "key is a number": "{1: 2}",
    "comma first": '{,"a":1}',
    "colon twice": '{"a":: 1}',
    "close first": "]",
    "wrong close": '{"a": [1}',
    "missing value before close": '{"a"}',
    "NaN": '{"name": NaN}',
    "Infinity": '{"name": Infinity}',
    "minus Infinity": '{"name": [-Infinity]}',
    "number too large": '{"a": "😀", "b": 1e400}',
    "number too large and later fault": '{"b": 1e400, x}',
    "fault before number too large": '{x, "b": 1e400}',
    "NaN inside text is text": '{"name": "NaN", "workflow_definition": {}, x}',
    "no-break space": '{\u00a0"a": 1}',
    "nul": "\x00",
    "deep and open": "[" * 40,
}.items():
    create(f"broken JSON: {label}", text.encode())
create("broken JSON without credentials", b"{", {"X-API-Key": None})
create("broken JSON with bad key and bad idempotency key", b"{", {"X-API-Key": "bad", "Idempotency-Key": "a b"})
create("byte order mark", b"\xef\xbb\xbf" + VALID)
create("byte order mark, broken", b"\xef\xbb\xbf{")
create("not UTF-8", b'{"name": "\xff"}')
create("cut UTF-8", b'{"name": "\xe2\x82"}')
add("publish ignores a broken body", "POST", f"{AGENT}/publish", b"{")

# Order of checks
create("no credentials, wrong body", {"name": 1}, {"X-API-Key": None})
create("bad key, wrong body", {"name": 1}, {"X-API-Key": "bad"})
create("bad key, good bearer", {"name": 1}, {"X-API-Key": "bad", "Authorization": "Bearer good"})
create("empty key counts as absent", {"name": 1}, {"X-API-Key": "", "Authorization": "Bearer good"})
create("bad bearer", {"name": 1}, {"X-API-Key": None, "Authorization": "Bearer nobody"})
create("header and body", {"name": 1}, {"Idempotency-Key": "a b"})
add("path, header and body", "POST", "/api/v1/workflow/abc/text-chat/sessions/1.5/messages", {"text": ""}, {"Idempotency-Key": "a b"})
add("path, header and no body", "POST", "/api/v1/workflow/abc/text-chat/sessions/x/messages", MISSING, {"Idempotency-Key": ""})
add("path and query", "GET", "/api/v1/workflow/x/runs?page=0&limit=101&sort_by=name&sort_order=up")
add("path and body", "PUT", "/api/v1/workflow/x", {"name": 1})
add("header too long", "POST", f"{AGENT}/publish", MISSING, {"Idempotency-Key": "k" * 256})
add("header longest", "POST", f"{AGENT}/publish", MISSING, {"Idempotency-Key": "k" * 255})
add("header empty", "POST", f"{AGENT}/create-draft", MISSING, {"Idempotency-Key": ""})
create("body number with header", 3, {"Idempotency-Key": "a\tb"})

# Integers in paths
for value in ["abc", "1.5", "1.0", "1.", "01", "+1", "-1", "%201%20", "1_000", "1__0", "_1", "1_", "1e3", "0x1", "١", "1.0.0", ".0", "true", "null", "--1", "+-1", "1%2B", "-0", "0", "00", "1,0", "%F0%9F%98%80", "1.00", "-1.0", "+1.", "%C2%A01", "1%0A", "%EF%BB%BF1"]:
    add(f"path integer {value}", "GET", f"/api/v1/workflow/fetch/{value}")
add("two path integers", "GET", "/api/v1/workflow/a/runs/b")
add("path integer second wrong", "GET", "/api/v1/workflow/1/runs/2.5")

# Queries
for query in ["limit=0", "limit=101", "limit=100", "limit=1", "limit=", "limit=ten", "limit=1.0", "limit=1.5", "limit=5&limit=x", "limit=x&limit=5", "offset=-1", "offset=0&limit=0", "limit=%2B5", "limit=+5", "limit=true", "limit=0.0", "limit=99999999999999999999", "other=1", "offset=%20"]:
    add(f"versions?{query}", "GET", f"{AGENT}/versions?{query}")
for query in ["page=0", "page=-1.0", "sort_by=duration", "sort_by=", "sort_by=Duration", "sort_order=DESC", "sort_order=asc&sort_by=created_at&page=2", "sort_order=%F0%9F%98%80"]:
    add(f"runs?{query}", "GET", f"{AGENT}/runs?{query}")
for query in ["", "state=succeeded&limit=100", "state=failed", "state=", "workflow_id=x&run_id=1.5", "from=2026-11-21T10:00:00Z&to=2026-11-21T11:00:00.123456%2B02:00", "from=2026-11-21&to=yesterday", "from=2026-13-01T00:00:00Z", "to=2026-11-21T10:00:00", "from=2026-11-21T10:00:00Z%0A", "cursor=17", "cursor=-1", "cursor=", "cursor=1234567890123456", "limit=0", "limit=101", "limit=ten", "state=x&workflow_id=y&run_id=z&from=a&to=b&cursor=c&limit=d"]:
    add(f"deliveries?{query}", "GET", f"/api/v1/webhook-deliveries?{query}")
for label, body in {"empty": {}, "all null": {"state": None, "workflow_id": None, "run_id": None, "from": None, "to": None}, "right": {"state": "dead_letter", "workflow_id": "7", "from": "2026-11-21T10:00:00Z"}, "all wrong": {"to": 5, "from": "yesterday", "run_id": [], "workflow_id": 1.5, "state": "failed"}, "list": [], "state number": {"state": 1}}.items():
    add(f"resend: {label}", "POST", "/api/v1/webhook-deliveries/resend", body)
for value in ["true", "1", "yes", "off", "maybe", "", "2", "TRUE", "%20true", "1.0", "tRuE", "n"]:
    add(f"download?inline={value}", "GET", f"/api/v1/public/download/workflow/t/transcript?inline={value}", MISSING, {"X-API-Key": None})

# Strings and the graph
for label, value in {"null": None, "number": 7, "float": 1.0, "true": True, "array": ["a"], "object": {"a": 1}, "empty": "", "lone surrogate": "a\ud800b", "low surrogate": "\udc00", "pair": "😀", "swapped pair": "\udc00\ud800"}.items():
    create(f"name is {label}", {"name": value, "workflow_definition": GRAPH})
    update(f"name is {label}", {"name": value})
create("name missing", {"workflow_definition": GRAPH})
create("graph missing", {"name": "a"})
create("unknown keys are ignored", {"name": "a", "workflow_definition": {}, "other": [1]})
create("missing input is the object as sent", {"z": 1, "a": {"b": [None, 1.5]}})
for label, value in {"null": None, "array": [], "string": "{}", "number": 1, "false": False, "empty": {}}.items():
    create(f"graph is {label}", {"name": "a", "workflow_definition": value})
    update(f"graph is {label}", {"workflow_definition": value})
for label, value in {"null": None, "object": {}, "string": "[]", "number": 1, "one number": [1], "object and others": [{}, None, "x", [], {"id": "n"}, 1.5]}.items():
    create(f"nodes is {label}", {"name": "a", "workflow_definition": {"nodes": value, "edges": value}})
    update(f"edges is {label}", {"workflow_definition": {"edges": value}})
create("everything is wrong", {"name": None, "workflow_definition": {"edges": [3], "nodes": [4, {}], "viewport": 1}})
create("other graph keys are kept", {"name": "a", "workflow_definition": {"viewport": {"x": 1}, "nodes": [{"id": "1", "measured": {}}], "extra": None}})
create("proto keys are plain", b'{"name": "a", "__proto__": {"x": 1}, "workflow_definition": {"__proto__": {"y": 2}, "nodes": [{"__proto__": {"z": 3}, "constructor": 1}]}}')
create("proto key in a missing record", b'{"__proto__": {"name": "a"}, "workflow_definition": {}}')
create("name twice, last wins", b'{"name": "a", "workflow_definition": {}, "name": 1}')
create("lone surrogate inside the graph is kept", {"name": "a", "workflow_definition": {"nodes": [{"id": "\ud83d"}]}, "x": "\udc00"})
create("lone surrogate in a missing record", {"workflow_definition": {"t": "\ud83d"}})

# Updates
for label, value in {"null": None, "array": [1], "string": "x", "number": 0, "empty": {}, "any": {"a": {"b": 1}}}.items():
    update(f"test values are {label}", {"template_context_variables": value})
    update(f"settings are {label}", {"workflow_configurations": value})
update("every field wrong", {"name": 1, "workflow_definition": 2, "template_context_variables": 3, "workflow_configurations": 4})
update("declaration order, not the order sent", {"workflow_configurations": 4, "name": 1, "template_context_variables": []})

INTEGERS = [600, "600", " 12 ", 10.0, "10.0", True, False, 0, "0", -1, 1200, 1201, "1201", 10.5, "10.5", "abc", "", " ", None, [], {}, 1200.0, 1200.5, "1e2", "1_0", "+5", "-5", "007", "0x1", "\n7\t", 123456789012345678901234567890, "123456789012345678901234567890", "٣", "10.", ".0", "-0", 1e-5, "inf", "nan", "\ufeff7", "\u00a07", "\u00857", "1,000", "- 1", "12_", "1__2", "1_2.0", "0_0.00", "0.1", "00012", "+0.", "\ud800"]
for value in INTEGERS:
    settings(f"max_call_duration {json.dumps(value)}", {"max_call_duration": value})
for value in INTEGERS:
    settings(f"turn_start_min_words {json.dumps(value)}", {"turn_start_min_words": value})
NUMBERS = [3, "3.5", True, False, -1, 0, 1.5, "", " ", "loud", None, [], {}, " 2.5 ", "1e3", "1E3", ".5", "5.", "+1.5", "-.5", "1_0.5", "inf", "-inf", "nan", "Infinity", "+infinity", "NaN", "-nan", "1e400", "-1e400", "0x10", "1e", "e1", ".", "1 2", "\ufeff7", "\u00a07", "1__0", "_1", "1_", "1_.5", "1._5", "1e1_0", "1,5", "٣", "infinit", "\ud800", 1e300, 123456789012345678901234567890]
for value in NUMBERS:
    settings(f"max_user_idle_timeout {json.dumps(value)}", {"max_user_idle_timeout": value})
BOOLEANS = [True, False, 1, 0, 1.0, 0.0, 2, -1, 1.5, "1", "0", "true", "TRUE", "True", "yes", "Y", "on", "t", "false", "No", "n", "off", "F", "maybe", "", " true", "true ", "1.0", "2", None, [], {}, "oN", "\ud800", "ſ", 1e20, 123456789012345678901234567890]
for value in BOOLEANS:
    settings(f"context_compaction_enabled {json.dumps(value)}", {"context_compaction_enabled": value})
for value in ["default", "min_words", "Default", "", None, 1, True, [], {}, "default ", "\ud800"]:
    settings(f"turn_start_strategy {json.dumps(value)}", {"turn_start_strategy": value})
for value in ["transcription", "turn_analyzer", "x", 1.5]:
    settings(f"turn_stop_strategy {json.dumps(value)}", {"turn_stop_strategy": value})
for value in [59, 60, 10500, 10501, "60.0", True]:
    settings(f"text_chat_inactivity_timeout_seconds {json.dumps(value)}", {"text_chat_inactivity_timeout_seconds": value})
for value in [None, {}, [], "x", 1, {"enabled": None}, {"volume": None}, {"enabled": "maybe", "volume": "loud"}, {"enabled": "on", "volume": "0.5", "storage_key": None}, {"volume": [], "enabled": 1.5, "x": 1}]:
    settings(f"ambient noise {json.dumps(value)}", {"ambient_noise_configuration": value})

MAPPING = {"context_path": "a.b", "destination_field": "Field_1"}
for label, value in {
    "null": None,
    "object": {},
    "string": "x",
    "empty": [],
    "not objects": [None, 1, "x", [], {}],
    "empty objects": [{}, {}],
    "blank path": [{"context_path": "  \t", "destination_field": "F"}],
    "trimmed": [{"context_path": "  a ", "destination_field": "\u00a0F\n", "other": 1}],
    "wrong types": [{"context_path": 1, "destination_field": None}],
    "path too long": [{"context_path": "p" * 256, "destination_field": "F"}],
    "path longest": [{"context_path": " " + "p" * 255 + " ", "destination_field": "F"}],
    "path counted in letters": [{"context_path": "😀" * 255, "destination_field": "F"}],
    "path too long in letters": [{"context_path": "😀" * 256, "destination_field": "F"}],
    "field starts with a digit": [{"context_path": "a", "destination_field": "1a"}],
    "field with a dash": [{"context_path": "a", "destination_field": " a-b "}],
    "field longest": [{"context_path": "a", "destination_field": "a" * 64}],
    "field too long": [{"context_path": "a", "destination_field": "a" * 65}],
    "field empty": [{"context_path": "a", "destination_field": ""}],
    "field of other letters": [{"context_path": "a", "destination_field": "поле"}],
    "field with inner line break": [{"context_path": "a", "destination_field": "a\nb"}],
    "second wrong": [MAPPING, {"destination_field": "1"}, MAPPING, 5],
    "byte order mark is no space": [{"context_path": "\ufeff", "destination_field": "F"}],
    "next line is space": [{"context_path": "\u0085\u3000", "destination_field": "F"}],
    "lone surrogate": [{"context_path": " \ud800 ", "destination_field": "\udfff"}],
    "one hundred": [MAPPING] * 100,
}.items():
    settings(f"mappings {label}", {"external_pbx_field_mappings": value})
settings("mappings one hundred and one", {"external_pbx_field_mappings": [MAPPING] * 101})
settings("mappings one hundred and three, some wrong", {"external_pbx_field_mappings": [1] * 103})
settings("mappings one hundred, all wrong", {"external_pbx_field_mappings": [1] * 3 + [MAPPING] * 97})
for label, value in {"wrong items": ["A", 1, "-", None, " B "], "fifty-one": ["A"] * 51, "string": "A"}.items():
    settings(f"lead headers {label}", {"external_pbx_lead_headers": value})
settings("dictionary number", {"dictionary": 5})
settings("dictionary null and unknown null are dropped", {"dictionary": None, "mine": None, "other": {"a": None}})
settings("declaration order", {"zebra": 1, "dictionary": 1, "turn_stop_strategy": "x", "max_call_duration": 0, "ambient_noise_configuration": 3, "turn_start_strategy": "y"})
settings("unknown keys are kept", {"mine": {"a": [1, None]}, "max_call_duration": "600", "apple": 1})
update("proto key in settings is kept", b'{"workflow_configurations": {"__proto__": {"a": 1}, "max_call_duration": "0600"}}')
update("proto key in settings, other field wrong", b'{"workflow_configurations": {"__proto__": {"max_call_duration": 5}, "max_call_duration": 0}}')

# Text sessions
for label, body in {"empty": {}, "all null": {"name": None, "initial_context": None, "annotations": None}, "wrong": {"name": 1, "initial_context": [], "annotations": "x"}, "context with braces": {"initial_context": {"{{a}}": "{{b|c}}", "__proto__x": 1}}}.items():
    add(f"session: {label}", "POST", SESSIONS, body)
for label, body in {"empty": {}, "blank text": {"text": ""}, "space is text": {"text": " "}, "number": {"text": 5}, "null": {"text": None}, "revision text": {"text": "a", "expected_revision": "3"}, "revision wrong": {"text": "a", "expected_revision": "x"}, "revision float": {"text": "a", "expected_revision": 2.5}, "revision null": {"text": "a", "expected_revision": None}, "both wrong": {"text": "", "expected_revision": []}, "lone surrogate": {"text": "\ud83d hello"}, "true revision": {"text": "a", "expected_revision": True}, "array": [{"text": "a"}]}.items():
    add(f"message: {label}", "POST", f"{SESSIONS}/3/messages", body)
for label, body in {"empty": {}, "wrong": {"expected_revision": {}}, "string": "x"}.items():
    add(f"end: {label}", "POST", f"{SESSIONS}/3/end", body)

# Credentials
for label, body in {
    "empty": {},
    "unknown type": {"name": "a", "credential_type": "oauth", "credential_data": {}},
    "type number": {"name": "a", "credential_type": 1, "credential_data": {}},
    "type null": {"name": "a", "credential_type": None, "credential_data": {}},
    "type lone surrogate": {"name": "a", "credential_type": "\ud800", "credential_data": {}},
    "type list": {"name": "a", "credential_type": ["none"], "credential_data": {}},
    "data null": {"name": "a", "credential_type": "none", "credential_data": None},
    "data list": {"name": "a", "description": 1, "credential_type": "none", "credential_data": []},
    "right": {"name": "a", "description": None, "credential_type": "api_key", "credential_data": {"header_name": "h", "api_key": "k"}},
    "all wrong": {"name": [], "description": {}, "credential_type": {}, "credential_data": "x"},
}.items():
    add(f"credential: {label}", "POST", CREDENTIALS, body)
for label, body in {"empty": {}, "type wrong": {"credential_type": "x"}, "null": {"credential_type": None, "credential_data": None}}.items():
    add(f"credential update: {label}", "PUT", f"{CREDENTIALS}u-1", body)

# Tools
TOOLS = "/api/v1/tools/"
HTTP = {"type": "http_api", "config": {"method": "GET", "url": "https://a.example/"}}


def tool(name: str, body: Any) -> None:
    add(f"tool: {name}", "POST", TOOLS, body)


def definition(name: str, value: Any) -> None:
    tool(f"definition {name}", {"name": "a", "definition": value})


def config(name: str, kind: str, value: Any) -> None:
    definition(f"{kind} {name}", {"type": kind, "config": value})


for label, body in {
    "empty": {},
    "smallest": {"name": "a", "definition": {"type": "calculator"}},
    "name longest": {"name": "\u00e9" * 255, "definition": {"type": "calculator"}},
    "name too long": {"name": "a" * 256, "definition": {"type": "calculator"}},
    "category right": {"name": "a", "category": "http_api", "definition": HTTP},
    "category of another type": {"name": "a", "category": "end_call", "definition": HTTP, "more": [1]},
    "category of a built-in tool": {"name": "a", "category": "native", "definition": HTTP},
    "category unknown": {"name": "a", "category": "x", "definition": HTTP},
    "category and definition wrong": {"name": "a", "category": "end_call", "definition": {"type": "http_api"}},
    "all wrong": {"name": 1, "description": 2, "category": 3, "icon": None, "icon_color": None, "definition": 4},
    "nulls": {"name": None, "description": None, "category": None, "definition": None},
}.items():
    tool(label, body)
for label, value in {
    "list": [],
    "text": "http_api",
    "without type": {"config": {}},
    "type unknown": {"type": "foo", "config": {}},
    "type null": {"type": None},
    "type number": {"type": 5},
    "type true": {"type": True},
    "type in capitals": {"type": "HTTP_API"},
    "calculator with a config": {"type": "calculator", "config": {"a": 1}, "schema_version": 1},
    "without config": {"type": "http_api"},
    "config null": {"type": "end_call", "config": None},
    "config list": {"type": "mcp", "config": []},
}.items():
    definition(label, value)
for label, value in {
    "empty": {},
    "method in small letters": {"method": "patch", "url": "x"},
    "method unknown": {"method": "TRACE", "url": "x"},
    "method number": {"method": 5, "url": "x"},
    "method null": {"method": None, "url": 1},
    "headers list": {"method": "GET", "url": "x", "headers": []},
    "header number": {"method": "GET", "url": "x", "headers": {"A": "b", "C": 1, "D": None}},
    "parameters object": {"method": "GET", "url": "x", "parameters": {}, "preset_parameters": "x"},
    "parameters wrong": {"method": "GET", "url": "x", "parameters": [{}, 1, {"name": "a", "type": "integer", "description": "b", "required": "maybe"}, {"name": "a", "type": "array", "description": "b"}]},
    "preset parameters": {"method": "GET", "url": "x", "preset_parameters": [{"name": "a", "type": "number", "value_template": "{{b}}", "required": "no"}, {"name": 1, "type": None}]},
    "timeout zero": {"method": "GET", "url": "x", "timeout_ms": 0},
    "timeout text": {"method": "GET", "url": "x", "timeout_ms": "x"},
    "timeout null": {"method": "GET", "url": "x", "timeout_ms": None},
    "message type": {"method": "GET", "url": "x", "customMessageType": "none", "customMessage": 1},
    "body list": {"method": "POST", "url": "x", "body_template": []},
    "body kept": {"method": "POST", "url": "x", "body_template": {"a": [None, {"b": "{{c}}"}]}, "customMessageType": "audio", "unknown": 1},
}.items():
    config(label, "http_api", value)
for label, value in {"empty": {}, "wrong": {"messageType": "text", "customMessage": 1, "endCallReason": "x", "endCallReasonDescription": []}, "nulls": {"messageType": None, "endCallReason": None}, "reason": {"endCallReason": "yes"}}.items():
    config(label, "end_call", value)
for label, value in {
    "empty": {},
    "bounds": {"timeout": 4, "destination_source": "x", "destination": None},
    "too long": {"timeout": 121, "resolver": {"url": "x", "timeout_ms": 499}},
    "resolver": {"destination_source": "dynamic", "resolver": {"type": "https", "timeout_ms": 5001, "headers": {"a": 1}}},
    "mapping": {"context_mapping": {"rules": [{"context_path": "a", "routes": [{"context_value": 1}]}, {}]}},
    "mapping right": {"context_mapping": {"rules": [{"context_path": "a", "routes": [{"context_value": "b", "destination": "c"}]}]}},
}.items():
    config(label, "transfer_call", value)
for label, value in {"empty": {}, "right": {"url": "https://a.example"}, "wrong": {"url": 1, "transport": "sse", "tools_filter": [1, "a"], "timeout_secs": -1, "sse_read_timeout_secs": None, "discovered_tools": ["a"]}, "lists null": {"url": "x", "tools_filter": None, "discovered_tools": None}}.items():
    config(label, "mcp", value)
for label, body in {"empty": {}, "nulls": {"name": None, "definition": None, "status": None}, "wrong": {"name": "a" * 256, "status": "gone", "definition": {"type": "x"}}, "inside": {"definition": {"type": "http_api", "config": {"method": "x"}}}}.items():
    add(f"tool update: {label}", "PUT", f"{TOOLS}u-1", body)
for label, body in {"empty": {}, "right": {"llm_params": {"a": [1, None]}, "preset_params": {"b": "c"}}, "nulls": {"llm_params": None, "preset_params": None}, "no objects": {"preset_params": "x", "llm_params": []}, "null": None, "list": []}.items():
    add(f"tool test: {label}", "POST", f"{TOOLS}u-1/test", body)
add("tool test: no body", "POST", f"{TOOLS}u-1/test")

KEYS = "/api/v1/user/api-keys"
for query in ["", "include_archived=yes", "include_archived=maybe", "include_archived="]:
    add(f"api keys?{query}", "GET", f"{KEYS}?{query}")
for label, body in {
    "empty": {},
    "right": {"name": "CI", "scopes": ["read", "admin", "read"], "expires_at": "2030-01-01T00:00:00Z", "other": 1},
    "nulls": {"name": None, "scopes": None, "expires_at": None},
    "no scope": {"name": "", "scopes": []},
    "unknown scopes": {"name": "a", "scopes": ["Read", "agents:*", 1, None, "read"]},
    "scopes no list": {"name": 1, "scopes": "read", "expires_at": "tomorrow"},
    "expiry without a zone": {"name": "a", "expires_at": "2030-01-01T00:00:00"},
    "null": None,
    "list": [],
}.items():
    add(f"api key: {label}", "POST", KEYS, body)
add("api key: bad idempotency key", "POST", KEYS, {"name": "a"}, {"Idempotency-Key": ""})
add("api key: archive abc", "DELETE", f"{KEYS}/abc")
for label, body in {"empty": {}, "null": {"grace_period_seconds": None}, "right": {"grace_period_seconds": "60"}, "negative": {"grace_period_seconds": -1}, "too long": {"grace_period_seconds": 2592001}, "longest": {"grace_period_seconds": 2592000.0}, "text": {"grace_period_seconds": "soon"}}.items():
    add(f"api key rotation: {label}", "POST", f"{KEYS}/1/rotate", body)
add("api key rotation: path and body", "POST", f"{KEYS}/x/rotate", {"grace_period_seconds": []})
add("api key rotation: no body", "POST", f"{KEYS}/1/rotate")

# Agents beside their content, folders, preferences, lists
for label, body in {"empty": {}, "null": {"status": None}, "other word": {"status": "deleted"}, "capitals": {"status": "Active"}, "number": {"status": 1}, "list": {"status": ["active"]}, "right": {"status": "archived", "more": 1}, "array": ["active"]}.items():
    add(f"status: {label}", "PUT", f"{AGENT}/status", body)
add("status: no body", "PUT", f"{AGENT}/status")
add("status: path and body wrong", "PUT", "/api/v1/workflow/x/status", {})
for label, body in {"empty": {}, "null": {"folder_id": None}, "text": {"folder_id": "7"}, "fraction": {"folder_id": 7.5}, "true": {"folder_id": True}, "object": {"folder_id": {}}, "word": {"folder_id": "root"}}.items():
    add(f"folder of an agent: {label}", "PUT", f"{AGENT}/folder", body)
for method, path in [("POST", "/api/v1/folder/"), ("PUT", "/api/v1/folder/7")]:
    for label, body in {"empty": {}, "null": {"name": None}, "blank": {"name": ""}, "space": {"name": " "}, "number": {"name": 5}, "longest": {"name": "\U0001f600" * 100}, "too long": {"name": "a" * 101}, "lone surrogate": {"name": "\ud800"}}.items():
        add(f"folder: {method} {label}", method, path, body)
add("folder: id in words", "PUT", "/api/v1/folder/mine", {"name": ""})
for label, body in {"empty": {}, "nulls": {"test_phone_number": None, "timezone": None}, "flag null": {"external_pbx_integrations_enabled": None}, "wrong": {"test_phone_number": 4915, "timezone": [], "external_pbx_integrations_enabled": "maybe"}, "too long": {"test_phone_number": "1" * 65, "timezone": "x" * 65}, "zone unknown": {"timezone": ""}, "flag in words": {"external_pbx_integrations_enabled": "On"}}.items():
    add(f"preferences: {label}", "PUT", "/api/v1/organizations/preferences", body)
LLM = {"provider": "openai", "model": "gpt-4.1", "api_key": "sk-1234567"}


def models(llm=LLM, **more):
    return {"mode": "byok", "byok": {"mode": "pipeline", "pipeline": {"llm": llm}}, **more}


for label, body in {
    "empty": {},
    "right": models({**LLM, "temperature": "0.5", "voice": {"a": 1}}, version=2),
    "other version": models(version=3),
    "version as text": models(version="2"),
    "managed": {"mode": "dograh", "byok": None},
    "realtime": {"mode": "byok", "byok": {"mode": "realtime", "pipeline": []}},
    "no services": {"mode": "byok", "byok": {"mode": "pipeline", "pipeline": {"llm": {}, "tts": [], "stt": None, "embeddings": "x"}}},
    "wrong texts": models({"provider": None, "model": "", "api_key": "", "base_url": 5, "endpoint": [], "temperature": 2.5}),
    "cold": models({**LLM, "temperature": -1}),
    "array": [],
}.items():
    add(f"models: {label}", "PUT", "/api/v1/organizations/model-configurations/v2", body)
for label, body in {"empty": {}, "nulls": {"llm": None, "is_realtime": None, "timezone": None}, "right": {"llm": LLM, "is_realtime": "no", "more": 1}, "wrong": {"llm": [], "tts": "x", "stt": 1, "embeddings": True, "is_realtime": "maybe", "test_phone_number": 49, "timezone": "x" * 65}}.items():
    add(f"user configuration: {label}", "PUT", "/api/v1/user/configurations/user", body)
for query in ["", "?validity_ttl_seconds=0", "?validity_ttl_seconds=-1", "?validity_ttl_seconds=86401", "?validity_ttl_seconds=soon"]:
    add(f"key check: {query}", "GET", f"/api/v1/user/configurations/user/validate{query}")
for query in ["", "?limit=0&offset=-1", "?limit=101", "?limit=x&offset=y", "?limit=5.0&offset=10&status=completed", "?limit="]:
    add(f"documents: {query}", "GET", f"/api/v1/knowledge-base/documents{query}")
for query in ["", "?workflow_id=x", "?workflow_id=7&tts_provider=a&tts_model=b&tts_voice_id=c", "?workflow_id=1.5"]:
    add(f"recordings: {query}", "GET", f"/api/v1/workflow-recordings/{query}")
for query in ["", "?start_date=2026-11-20&end_date=2026-11-20T10:00", "?start_date=2026-11-20T10:00:00.123456Z", "?start_date=2026-11-20T10:00:00%2B02:00", "?start_date=20.11.2026&end_date=", "?end_date=2026-13-01"]:
    add(f"report: {query}", "GET", f"{AGENT}/report{query}")
for label, body in {
    "empty": {},
    "right": {"file_name": "a.csv", "file_size": "10485760", "content_type": "text/csv"},
    "no csv": {"file_name": "a.csv.txt", "file_size": 1},
    "line break": {"file_name": "a\n.csv", "file_size": 1},
    "line break behind": {"file_name": "a.csv\n", "file_size": 1},
    "too small": {"file_name": "a.csv", "file_size": 0},
    "too large": {"file_name": "a.csv", "file_size": 10485761, "content_type": "x" * 256},
    "all wrong": {"file_name": 1, "file_size": 1.5, "content_type": None},
    "null body": None,
}.items():
    add(f"presign: {label}", "POST", "/api/v1/s3/presigned-upload-url", body)
for label, body in {
    "empty": {},
    "right": {"workflow_id": "7", "filename": "rain.wav", "mime_type": "audio/wav", "file_size": 1},
    "all wrong": {"workflow_id": "x", "filename": "", "mime_type": 1, "file_size": -1},
    "too large": {"workflow_id": 7, "filename": "rain.wav", "file_size": 10485761},
    "null body": None,
}.items():
    add(f"ambient noise: {label}", "POST", "/api/v1/workflow/ambient-noise/upload-url", body)
for query in ["", "?key=transcripts/7.txt", "?key=&expires_in=0", "?key=a/b&expires_in=604801&inline=maybe", "?expires_in=x&inline="]:
    add(f"signed url: {query}", "GET", f"/api/v1/s3/signed-url{query}")
for query in ["", "?key=transcripts/7.txt"]:
    add(f"file metadata: {query}", "GET", f"/api/v1/s3/file-metadata{query}")
USAGE = "/api/v1/organizations/usage"
for query in ["", "?start_date=2026-11-20&end_date=2026-11-20T10:00&page=2&limit=100", "?start_date=today&end_date=&page=0&limit=101&sort_by=cost&sort_order=up", "?page=1.5&limit=x", "?sort_by=duration&sort_order=asc"]:
    add(f"usage runs: {query}", "GET", f"{USAGE}/runs{query}")
for query in ["", "?start_date=2026-13-01&end_date=2026-11-20T25:00"]:
    add(f"usage report: {query}", "GET", f"{USAGE}/runs/report{query}")
for query in ["", "?days=1", "?days=0", "?days=31", "?days=x", "?days=1.5", "?days=", "?days=30&timezone=Asia/Tokyo&filters=[]", "?days=0&timezone=Mars/Base", "?timezone=" + "x" * 65]:
    add(f"usage by day: {query}", "GET", f"{USAGE}/daily-breakdown{query}")
for query in ["", "?date=2026-11-20", "?date=2026-11-20&timezone=Europe/Berlin&workflow_id=7", "?date=20.11.2026&timezone=" + "x" * 65 + "&workflow_id=x", "?date=2026-11-32&timezone=Mars/Base", "?timezone=UTC&workflow_id=1.5", "?date="]:
    for path in ["daily", "daily/runs"]:
        add(f"reports {path}: {query}", "GET", f"/api/v1/organizations/reports/{path}{query}")
for query in ["", "?buffer=-1", "?buffer=x", "?buffer=1000001", "?buffer=3"]:
    add(f"autoscale: {query}", "GET", f"/api/v1/health/autoscale-metric{query}")
for label, body in {"empty": {}, "right": {"template_id": "1", "workflow_name": "", "other": 1}, "nulls": {"template_id": None, "workflow_name": None}, "wrong": {"workflow_name": 5, "template_id": 1.5}, "lone surrogate": {"template_id": 1, "workflow_name": "\ud800"}, "list": []}.items():
    add(f"template: {label}", "POST", "/api/v1/workflow/templates/duplicate", body)
add("template: no body", "POST", "/api/v1/workflow/templates/duplicate")
add("template: key with a space", "POST", "/api/v1/workflow/templates/duplicate", {"template_id": "x"}, {"Idempotency-Key": "a b"})
for label, body in {
    "empty": {},
    "right": {"call_type": "outbound", "use_case": " orders ", "activity_description": "Ask {{name}}", "other": 1},
    "nulls": {"call_type": None, "use_case": None, "activity_description": None},
    "wrong": {"activity_description": [], "use_case": 1, "call_type": "INBOUND"},
    "longest": {"call_type": "inbound", "use_case": "\U0001f600" * 1000, "activity_description": "a"},
    "blank": {"call_type": "inbound", "use_case": "", "activity_description": " \n"},
    "too long": {"call_type": "inbound", "use_case": "a" * 1001, "activity_description": "a" * 10001},
    "null": None,
}.items():
    add(f"generate: {label}", "POST", "/api/v1/workflow/create/template", body)
add("generate: no body", "POST", "/api/v1/workflow/create/template")
add("restore: words in the path", "POST", "/api/v1/workflow/a/versions/b/restore")
add("restore: half a version", "POST", "/api/v1/workflow/7/versions/1.5/restore")
add("duplicate: key with a space", "POST", f"{AGENT}/duplicate", headers={"Idempotency-Key": "a b"})
for label, body in {
    "empty": {},
    "right": {"email": "Ada.B@Example.COM", "password": "12345678", "name": None, "other": 1},
    "nulls": {"email": None, "password": None},
    "types": {"email": 5, "password": 12345678, "name": []},
    "short": {"email": "a@b.de", "password": "1234567"},
    "letters": {"email": "a@b.de", "password": "😀" * 7},
    "everything": {"name": 1, "password": "", "email": "a"},
    "null": None,
    "list": [],
}.items():
    add(f"signup: {label}", "POST", "/api/v1/auth/signup", body)
add("signup: no body", "POST", "/api/v1/auth/signup")
for label, body in {"empty": {}, "any password": {"email": "a@b.de", "password": ""}, "no address": {"email": "a.b.de", "password": 1}}.items():
    add(f"login: {label}", "POST", "/api/v1/auth/login", body)
add("login: bad credentials beside it do not matter", "POST", "/api/v1/auth/login", {"email": "a@b.de", "password": "x"}, {"X-API-Key": "bad"})
for address in [
    "", "a", "@", "a@", "@b.de", "a@b", "a@b.c", "a@@b.co", "a b@c.de", "a@b c.de", "a@b..de", ".a@b.de", "a.@b.de", "a..b@c.de", "a@.b.de", "a@b.de.", "a@-b.de",
    "a@b-.de", "a@b.de-", "a@b.test", "a@localhost", "a@x.LOCAL", "a@x.invalid", "a@x.example", "Name <a@b.de>", "<a@b.de>", " a@b.de ", "a@" + "b" * 64 + ".de",
    "a@" + ".".join(["b" * 60] * 5) + ".de", "x" * 2049, "é@b.de", "a@bücher.de", '"a b"@c.de', "a@[127.0.0.1]", "a@1.2.3.4", "a@b.123", "a,b@c.de", "a@b_c.de", "a\n@b.de",
    "a@b.de\n", "a+b@c.de", "a(c)@b.de", "o'x@b.de", "a!#$%&'*+-/=?^_`{|}~b@c.de", "a\\b@c.de", "a@b:c.de", "a@x.onion", "\u0000@b.de", "a@b.d-e", "A@B.DE", "a@ab--c.de",
    "a" * 250 + "@b.de", "a'b@c'd.de",
]:
    add(f"email {json.dumps(address)[:60]} of {len(address)}", "POST", "/api/v1/auth/login", {"email": address, "password": "x"})
for label, body in {"empty": {}, "right": {"completed_at": "2026-11-21T10:00:00Z", "skipped": "yes", "seen_tooltips": [], "completed_actions": ["a"]}, "wrong": {"completed_at": 1, "skipped": None, "seen_tooltips": {}, "completed_actions": ["a", 1, "b" * 129]}, "too many": {"seen_tooltips": ["a"] * 501}}.items():
    add(f"onboarding: {label}", "PUT", "/api/v1/user/onboarding-state", body)
# Calls that are made ahead, triggers, initiate-call
RUNS = "/api/v1/workflow/7/runs"
for label, body in {
    "empty": {},
    "right": {"mode": "telnyx", "name": "Test call"},
    "name empty": {"mode": "smallwebrtc", "name": ""},
    "mode unknown": {"mode": "VOICE", "name": "a"},
    "mode number": {"mode": 1, "name": "a"},
    "nulls": {"mode": None, "name": None, "initial_context": None},
    "context wrong": {"mode": "web", "name": "a", "initial_context": []},
}.items():
    add(f"run: {label}", "POST", RUNS, body)

TRIGGER = "/api/v1/public/agent/order-desk"
TRIGGERS = [TRIGGER, "/api/v1/public/agent/test/order-desk", "/api/v1/public/agent/workflow/u-1", "/api/v1/public/agent/test/workflow/u-1"]
for label, body in {
    "empty": {},
    "smallest": {"phone_number": "4915"},
    "no number at all": {"phone_number": ""},
    "number as a number": {"phone_number": 4915112345678},
    "all given": {"phone_number": "+49", "initial_context": {"a": [None, {"b": "{{c}}"}]}, "telephony_configuration_id": "3", "from_phone_number_id": 4.0, "other": 1},
    "nulls": {"phone_number": None, "initial_context": None, "telephony_configuration_id": None, "from_phone_number_id": None},
    "all wrong": {"phone_number": [], "initial_context": "x", "telephony_configuration_id": "x", "from_phone_number_id": 1.5},
    "lone surrogate": {"phone_number": "\ud800"},
    "null body": None,
    "array": [],
}.items():
    add(f"trigger: {label}", "POST", TRIGGER, body)
add("trigger: no body", "POST", TRIGGER)
for path in TRIGGERS:
    add(f"{path}: no key", "POST", path, {"phone_number": "4915"}, {"X-API-Key": None})
    add(f"{path}: no key, a bearer, body wrong", "POST", path, {"initial_context": 1}, {"X-API-Key": None, "Authorization": "Bearer good"})
    add(f"{path}: bad key, a good bearer", "POST", path, {"phone_number": "4915"}, {"X-API-Key": "bad", "Authorization": "Bearer good"})
    add(f"{path}: bad key, body wrong", "POST", path, {}, {"X-API-Key": "bad"})
add("trigger: no key, broken JSON", "POST", TRIGGER, b"{", {"X-API-Key": None})
add("trigger: no key, no body, bad idempotency key", "POST", TRIGGER, headers={"X-API-Key": None, "Idempotency-Key": "a b"})

INITIATE = "/api/v1/telephony/initiate-call"
for label, body in {
    "empty": {},
    "smallest": {"workflow_id": "7"},
    "all given": {"workflow_id": 7, "phone_number": "4915", "workflow_run_id": 3, "telephony_configuration_id": True, "from_phone_number_id": " 4 ", "initial_context": {"b": 1, "a": 2}},
    "nulls": {"workflow_id": None, "phone_number": None, "workflow_run_id": None, "telephony_configuration_id": None, "from_phone_number_id": None, "initial_context": None},
    "all wrong": {"workflow_id": "x", "phone_number": 5, "workflow_run_id": {}, "telephony_configuration_id": [], "from_phone_number_id": "1.5", "initial_context": []},
    "null body": None,
}.items():
    add(f"initiate: {label}", "POST", INITIATE, body)
add("initiate: no credentials", "POST", INITIATE, {}, {"X-API-Key": None})

# Connections to carriers, their numbers, recorded lines
CONNECTIONS = "/api/v1/organizations/telephony-configs"
PUBLIC_KEY = "A" * 43 + "="
TELNYX = {"provider": "telnyx", "api_key": "k", "connection_id": None, "webhook_public_key": PUBLIC_KEY}
for label, config in {
    "telnyx": TELNYX,
    "telnyx, key in white space": {**TELNYX, "webhook_public_key": f" {PUBLIC_KEY}\n"},
    "telnyx, short key": {**TELNYX, "webhook_public_key": " AAA= "},
    "telnyx, key of a number": {**TELNYX, "webhook_public_key": 5},
    "telnyx, all wrong": {"provider": "telnyx", "api_key": "", "connection_id": 7, "webhook_public_key": ""},
    "telnyx, too long": {**TELNYX, "api_key": "k" * 8193, "connection_id": "c" * 256},
    "telnyx, nothing": {"provider": "telnyx"},
    "twilio": {"provider": "twilio", "account_sid": "a", "auth_token": "b", "amd_enabled": "yes"},
    "twilio, all wrong": {"provider": "twilio", "account_sid": None, "auth_token": [], "amd_enabled": "maybe"},
    "plivo": {"provider": "plivo", "auth_id": "a", "auth_token": "b", "application_id": "c", "other": 1},
    "vobiz, nothing": {"provider": "vobiz"},
    "vonage, nothing": {"provider": "vonage"},
    "cloudonix, wrong": {"provider": "cloudonix", "bearer_token": 1, "domain_id": ""},
    "ari": {"provider": "ari", "ari_endpoint": "a", "app_name": "b", "app_password": "c", "ws_client_name": None, "external_pbx": {"a": 1}},
    "ari, wrong": {"provider": "ari", "ari_endpoint": "a", "external_pbx": []},
    "unknown provider": {"provider": "pigeon"},
    "provider null": {"provider": None},
    "no provider": {"api_key": "k"},
    "list": [],
    "null": None,
}.items():
    add(f"connection: {label}", "POST", CONNECTIONS, {"name": "Line", "is_default_outbound": False, "config": config})
    add(f"connection, changed: {label}", "PUT", f"{CONNECTIONS}/7", {"config": config})
for label, body in {
    "empty": {},
    "all wrong": {"name": "", "is_default_outbound": "maybe", "config": 5},
    "name too long": {"name": "n" * 65, "is_default_outbound": "on", "config": TELNYX},
    "null body": None,
}.items():
    add(f"connection: body {label}", "POST", CONNECTIONS, body)
    add(f"connection, changed: body {label}", "PUT", f"{CONNECTIONS}/x", body)
NUMBERS_OF = f"{CONNECTIONS}/7/phone-numbers"
for label, body in {
    "empty": {},
    "right": {"address": "+1 (555) 123-0001", "country_code": "us", "label": "", "inbound_workflow_id": "7", "is_active": 0, "is_default_caller_id": "yes", "telephony_trunk_id": None, "extra_metadata": {"a": 1}},
    "all wrong": {"address": "", "country_code": "USA", "label": "l" * 65, "inbound_workflow_id": "x", "is_active": None, "is_default_caller_id": 2, "telephony_trunk_id": 1.5, "extra_metadata": []},
    "types": {"address": 15551230001, "country_code": 1, "label": 1},
    "too long": {"address": "1" * 256},
    "null body": None,
}.items():
    add(f"number: {label}", "POST", NUMBERS_OF, body)
for label, body in {
    "empty": {"clear_inbound_workflow": False, "clear_trunk": False},
    "right": {"label": None, "inbound_workflow_id": 7.0, "clear_inbound_workflow": "no", "is_active": "t", "country_code": "DE", "extra_metadata": {}, "telephony_trunk_id": 1, "clear_trunk": 0},
    "all wrong": {"label": 5, "inbound_workflow_id": [], "clear_inbound_workflow": None, "is_active": "maybe", "country_code": "D1", "extra_metadata": 1, "telephony_trunk_id": "x", "clear_trunk": "x"},
}.items():
    add(f"number, changed: {label}", "PUT", f"{NUMBERS_OF}/3", body)
add("number, changed: words in the path", "PUT", f"{CONNECTIONS}/a/phone-numbers/b", {"label": 1})
RECORDINGS = "/api/v1/workflow-recordings/"
for label, body in {
    "empty": {},
    "none": {"files": []},
    "right": {"files": [{"filename": "a.wav", "mime_type": "audio/wav", "file_size": "9"}]},
    "all wrong": {"files": [{"filename": "", "mime_type": 1, "file_size": 0}, {}, 5, {"filename": "a", "file_size": 5242881}]},
    "too many": {"files": [{"filename": "a", "file_size": 1}] * 21},
    "object": {"files": {}},
}.items():
    add(f"recording files: {label}", "POST", f"{RECORDINGS}upload-url", body)
LINE = {"recording_id": "hello", "storage_key": "k", "transcript": ""}
for label, body in {
    "empty": {},
    "none": {"recordings": []},
    "right": {"recordings": [{**LINE, "workflow_id": "7", "tts_provider": None, "tts_model": "m", "tts_voice_id": "v", "metadata": {"a": 1}}]},
    "all wrong": {"recordings": [{"recording_id": "two words", "storage_key": "", "transcript": None, "workflow_id": "x", "tts_provider": 1, "tts_model": "m" * 256, "tts_voice_id": [], "metadata": []}, {}]},
    "names": {"recordings": [{**LINE, "recording_id": name} for name in ["", "a" * 64, "a" * 65, "a\n", "\u00e9"]]},
    "too many": {"recordings": [LINE] * 21},
}.items():
    add(f"recordings: {label}", "POST", RECORDINGS, body)
for label, body in {"empty": {}, "right": {"recording_id": "a-B_9"}, "blank": {"recording_id": ""}, "dot": {"recording_id": "a.b"}, "number": {"recording_id": 5}, "null body": None}.items():
    add(f"recording, renamed: {label}", "PATCH", f"{RECORDINGS}hello", body)

# Campaigns, suppressed numbers, the organization's policy
CAMPAIGN = {"name": "Autumn", "workflow_id": 7, "source_type": "csv", "source_id": "campaigns/k"}
SLOT = {"day_of_week": 0, "start_time": "09:00", "end_time": "17:00"}
PLAN = {"waits_seconds": [30], "max_retries": 1}
for label, body in {
    "empty": {},
    "smallest": CAMPAIGN,
    "nulls": {**CAMPAIGN, "telephony_configuration_id": None, "retry_config": None, "max_concurrency": None, "schedule_config": None, "circuit_breaker": None, "identifier_column": None, "rules": None},
    "lax": {**CAMPAIGN, "workflow_id": "7", "telephony_configuration_id": 3.0, "max_concurrency": " 5 ", "strict": "on", "more": 1},
    "all wrong": {"name": "", "workflow_id": None, "source_type": "xlsx", "source_id": 5, "telephony_configuration_id": "x", "retry_config": [], "max_concurrency": 101, "schedule_config": 1, "circuit_breaker": "b", "strict": None, "identifier_column": "", "rules": "r"},
    "too long": {**CAMPAIGN, "name": "n" * 256, "source_id": "s" * 256, "identifier_column": "i" * 256},
    "csv and a line break": {**CAMPAIGN, "source_type": "csv\n"},
    "null body": None,
    "list": [],
}.items():
    add(f"campaign: {label}", "POST", "/api/v1/campaign/create", body)
for label, retry in {
    "empty": {},
    "lax": {"enabled": "no", "max_retries": "3", "retry_delay_seconds": 30.0, "retry_on_busy": 0},
    "too little": {"max_retries": -1, "retry_delay_seconds": 29},
    "too much": {"max_retries": 11, "retry_delay_seconds": 3601},
    "all wrong": {"enabled": None, "max_retries": 1.5, "retry_delay_seconds": "soon", "retry_on_busy": "maybe", "retry_on_no_answer": 2, "retry_on_voicemail": []},
}.items():
    add(f"campaign, retries: {label}", "PATCH", "/api/v1/campaign/7", {"retry_config": retry})
    add(f"redial, retries: {label}", "POST", "/api/v1/campaign/7/redial", {"retry_config": retry})
for label, schedule in {
    "empty": {},
    "right": {"enabled": 1, "timezone": "Europe/Berlin", "slots": [SLOT, {**SLOT, "end_time": "24:00"}]},
    "no slot": {"slots": []},
    "too many": {"slots": [SLOT] * 51},
    "zone of no letter": {"timezone": "", "slots": [SLOT]},
    "zone too long": {"timezone": "z" * 65, "slots": [SLOT]},
    "zone unknown": {"timezone": "Mars/Base", "slots": [{**SLOT, "day_of_week": 7}]},
    "zone of a number": {"timezone": 1, "slots": [SLOT]},
    "slots of all kinds": {"slots": [None, {}, {**SLOT, "day_of_week": 7}, {**SLOT, "day_of_week": -1}, {**SLOT, "start_time": "9:00"}, {**SLOT, "start_time": "25:00"}, {**SLOT, "end_time": "09:60"}, {**SLOT, "start_time": "17:00"}, {**SLOT, "start_time": "18:00"}, {**SLOT, "start_time": "24:00", "end_time": "24:00"}, {**SLOT, "start_time": 900}, {**SLOT, "end_time": "17:00\n"}]},
    "object of slots": {"slots": {}},
}.items():
    add(f"campaign, schedule: {label}", "PATCH", "/api/v1/campaign/7", {"schedule_config": schedule})
for label, breaker in {
    "empty": {},
    "lax": {"enabled": "y", "failure_threshold": "0.25", "window_seconds": "30", "min_calls_in_window": True},
    "too little": {"failure_threshold": -0.1, "window_seconds": 29, "min_calls_in_window": 0},
    "too much": {"failure_threshold": 1.1, "window_seconds": 601, "min_calls_in_window": 101},
    "all wrong": {"enabled": "maybe", "failure_threshold": "half", "window_seconds": None, "min_calls_in_window": {}},
}.items():
    add(f"campaign, circuit breaker: {label}", "PATCH", "/api/v1/campaign/7", {"circuit_breaker": breaker})
for label, rules in {
    "empty": {},
    "all": {"window_zone": "contact", "retry_plan": {"no_answer": {**PLAN, "next_day": True, "other_part_of_day": "no"}, "reached": PLAN}, "max_attempts": 3, "caps": {"per_hour": None, "per_day": 2}, "starts_per_second": "0.5", "ramp": {"lines": 1, "each_minute": 2}, "weight": 5, "from_phone_number_ids": ["1", 2.0], "start_order": "priority", "agent_version": "pinned"},
    "a name that is not there": {"weigth": 5},
    "__proto__": {"__proto__": {"a": 1}, "weight": 1},
    "names that are not there, at every depth": {"x": 1, "retry_plan": {"machine": PLAN, "busy": {**PLAN, "y": None}}, "caps": {"per_month": 1}, "ramp": {"lines": 1, "each_minute": 1, "z": 2}, "weight": 0, "a": 2},
    "nulls": {"window_zone": None, "retry_plan": None, "max_attempts": None, "caps": None, "starts_per_second": None, "ramp": None, "weight": None, "from_phone_number_ids": None, "start_order": None, "agent_version": None},
    "all wrong": {"window_zone": "mine", "retry_plan": [], "max_attempts": 51, "caps": 5, "starts_per_second": 0, "ramp": {}, "weight": "x", "from_phone_number_ids": [], "start_order": "random", "agent_version": 1},
    "plans": {"retry_plan": {"no_answer": {}, "busy": {"waits_seconds": [], "max_retries": 21}, "declined": {"waits_seconds": [29, 2592001, "x"], "max_retries": -1}, "voicemail": None, "voicemail_message": {**PLAN, "next_day": None}, "short_answer": {"waits_seconds": [30] * 21, "max_retries": 1}}},
    "caps": {"caps": {"per_hour": 0, "per_day": 1001, "per_week": "x"}},
    "too much": {"starts_per_second": 1000.5, "ramp": {"lines": 0, "each_minute": 1001}, "from_phone_number_ids": [1] * 501},
}.items():
    add(f"campaign, rules: {label}", "PATCH", "/api/v1/campaign/7", {"rules": rules})
add("campaign, changed: all wrong", "PATCH", "/api/v1/campaign/x", {"name": "", "max_concurrency": 0, "rules": []})
for label, body in {
    "empty": {},
    "right": {"name": "Again", "retry_on_busy": "off"},
    "nobody": {"retry_on_voicemail": False, "retry_on_no_answer": 0, "retry_on_busy": "n"},
    "all wrong": {"name": "", "retry_on_voicemail": None, "retry_on_no_answer": "maybe", "retry_on_busy": 3, "retry_config": 1},
    "by outcomes, no reason": {"retry_on_voicemail": False, "retry_on_no_answer": False, "retry_on_busy": False, "outcomes": ["declined", "canceled"]},
    "outcomes that nobody is called after": {"outcomes": ["opted_out", "busy", 5], "retry_on_busy": "x"},
    "no outcome at all": {"outcomes": []},
    "too many outcomes": {"outcomes": ["busy"] * 15},
    "outcomes that are no list, no reason": {"retry_on_voicemail": False, "retry_on_no_answer": False, "retry_on_busy": False, "outcomes": "busy"},
    "null outcomes, no reason": {"retry_on_voicemail": False, "retry_on_no_answer": False, "retry_on_busy": False, "outcomes": None},
    "null body": None,
}.items():
    add(f"redial: {label}", "POST", "/api/v1/campaign/7/redial", body)
for label, body in {"empty": {}, "right": {"mode": "hang_up"}, "wrong": {"mode": "now"}, "null": {"mode": None}, "null body": None}.items():
    add(f"stop: {label}", "POST", "/api/v1/campaign/7/stop", body)
for label, body in {
    "empty": {},
    "right": {"phone_numbers": ["+1 555 010 0001"], "reason": None},
    "none": {"phone_numbers": []},
    "too many": {"phone_numbers": ["1"] * 1001},
    "all wrong": {"phone_numbers": [5, None, "1"], "reason": "r" * 501},
    "text": {"phone_numbers": "15550100001"},
}.items():
    add(f"suppressed numbers: {label}", "POST", "/api/v1/suppressions", body)
for label, body in {
    "empty": {},
    "right": {"reserved_lines": "2", "starts_per_second": 0.01, "caps": {}, "window": {"slots": [SLOT]}},
    "nulls": {"reserved_lines": None, "starts_per_second": None, "caps": None, "window": None},
    "all wrong": {"reserved_lines": -1, "starts_per_second": 0, "caps": {"per_hour": 0, "per_day": "x", "per_week": 1001}, "window": {}},
    "slots": {"window": {"slots": [{**SLOT, "end_time": "24:00"}, {**SLOT, "start_time": "17:00"}, {**SLOT, "day_of_week": 7}, 5]}},
    "too much": {"reserved_lines": 1001, "starts_per_second": 100.5, "window": {"slots": [SLOT] * 51}},
}.items():
    add(f"dial policy: {label}", "PUT", "/api/v1/organizations/dial-policy", body)
