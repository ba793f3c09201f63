"""Models of our own, equivalent to the requests of src/contract, for the real FastAPI and Pydantic.

They exist to produce golden answers, not to serve. Where the contract departs from what FastAPI would do by itself
(mark [O] in its text), the departure is modeled here and said so, so that golden answers and contract agree:

- `nodes` and `edges` are lists of objects (contract 1.2), as a typed dictionary: a graph that is not an object is `dict_type`.
- numbers that JSON or a double cannot hold (NaN, Infinity, 1e400) are broken JSON, or `finite_number` when written as text.
- lone surrogates are answered in ASCII JSON; FastAPI's own renderer fails on them. Pydantic lets them pass in a string
  without any constraint, and the service behind it then fails (500): every declared string has a constraint here.
- email addresses whose domain is written in Punycode stay so; Pydantic shows the letters.
- the tool type `native` is our addition: no fault names it (15.1), so it is not in the union.
- a field that trims does so before its other rules, so that `input` is the trimmed text (0.4).

The pinned FastAPI is of the age that the contract was observed on: later ones answer a `null` body with
`model_attributes_type` instead of `missing`.
"""

import json
import re
from typing import Annotated, Any, Literal, Optional, Union
from enum import Enum
from zoneinfo import available_timezones

from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, EmailStr, Field, model_validator
from typing_extensions import TypedDict

Text = Annotated[str, Field(min_length=0)]
Number = Annotated[float, Field(allow_inf_nan=False)]
FieldName = r"^[A-Za-z][A-Za-z0-9_]{0,63}$"
Trimmed = BeforeValidator(lambda value: value.strip() if isinstance(value, str) else value)


def known_zone(name):
    if name not in available_timezones():
        raise ValueError("the time zone is not known")
    return name


KnownZone = AfterValidator(known_zone)
FieldNameText = Annotated[str, Field(pattern=FieldName), Trimmed]


class Graph(TypedDict, total=False):
    __pydantic_config__ = ConfigDict(extra="allow")
    nodes: list[dict]
    edges: list[dict]


class AmbientNoise(BaseModel):
    model_config = ConfigDict(extra="allow")
    enabled: bool = False
    volume: Number = 0.3


class Mapping(BaseModel):
    context_path: Annotated[str, Field(min_length=1, max_length=255), Trimmed]
    destination_field: FieldNameText


class Configurations(BaseModel):
    model_config = ConfigDict(extra="allow")
    ambient_noise_configuration: Optional[AmbientNoise] = None
    max_call_duration: Optional[Annotated[int, Field(gt=0, le=1200)]] = None
    max_user_idle_timeout: Optional[Number] = None
    smart_turn_stop_secs: Optional[Number] = None
    turn_start_strategy: Optional[Literal["default", "min_words", "provisional_vad"]] = None
    turn_start_min_words: Optional[int] = None
    provisional_vad_pause_secs: Optional[Number] = None
    turn_stop_strategy: Optional[Literal["transcription", "turn_analyzer"]] = None
    dictionary: Optional[Text] = None
    context_compaction_enabled: Optional[bool] = None
    text_chat_inactivity_timeout_seconds: Optional[Annotated[int, Field(ge=60, le=10500)]] = None
    external_pbx_field_mappings: Optional[Annotated[list[Mapping], Field(max_length=100)]] = None
    external_pbx_lead_headers: Optional[Annotated[list[FieldNameText], Field(max_length=50)]] = None


class CreateAgent(BaseModel):
    name: Text
    workflow_definition: Graph


class UpdateAgent(BaseModel):
    name: Optional[Text] = None
    workflow_definition: Optional[Graph] = None
    template_context_variables: Optional[dict] = None
    workflow_configurations: Optional[Configurations] = None


class ChangeStatus(BaseModel):
    status: Literal["active", "archived"]


class DuplicateTemplate(BaseModel):
    template_id: int
    workflow_name: Text


class GenerateAgent(BaseModel):
    call_type: Literal["inbound", "outbound"]
    use_case: Annotated[str, Field(min_length=1, max_length=1000), Trimmed]
    activity_description: Annotated[str, Field(min_length=1, max_length=10000), Trimmed]


class MoveToFolder(BaseModel):
    folder_id: Optional[int]


class FolderName(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=100)]


class UpdatePreferences(BaseModel):
    test_phone_number: Optional[Annotated[str, Field(max_length=64)]] = None
    timezone: Optional[Annotated[str, Field(max_length=64), KnownZone]] = None
    external_pbx_integrations_enabled: bool = False


class LlmService(BaseModel):
    model_config = ConfigDict(extra="allow")

    provider: Text
    model: Annotated[Text, Field(min_length=1)]
    api_key: Annotated[Text, Field(min_length=1)]
    base_url: Optional[Text] = None
    endpoint: Optional[Text] = None
    temperature: Optional[Annotated[float, Field(ge=0, le=2)]] = None


class ModelPipeline(BaseModel):
    llm: LlmService
    tts: Optional[dict] = None
    stt: Optional[dict] = None
    embeddings: Optional[dict] = None


class BringYourOwnKeys(BaseModel):
    mode: Literal["pipeline"]
    pipeline: ModelPipeline


class ModelConfiguration(BaseModel):
    version: Literal[2] = 2
    mode: Literal["byok"]
    byok: BringYourOwnKeys


class UserConfiguration(BaseModel):
    llm: Optional[dict] = None
    tts: Optional[dict] = None
    stt: Optional[dict] = None
    embeddings: Optional[dict] = None
    is_realtime: Optional[bool] = None
    test_phone_number: Optional[Annotated[str, Field(max_length=64)]] = None
    timezone: Optional[Annotated[str, Field(max_length=64), KnownZone]] = None


class CreateTextSession(BaseModel):
    name: Optional[Text] = None
    initial_context: Optional[dict] = None
    annotations: Optional[dict] = None


class SendTextMessage(BaseModel):
    text: Annotated[str, Field(min_length=1)]
    expected_revision: Optional[int] = None


class CreateRun(BaseModel):
    mode: Literal["telnyx", "twilio", "plivo", "vonage", "vobiz", "cloudonix", "ari", "webrtc", "smallwebrtc", "web", "textchat"]
    name: Text
    initial_context: Optional[dict] = None


class TriggerCall(BaseModel):
    phone_number: Text
    initial_context: Optional[dict] = None
    telephony_configuration_id: Optional[int] = None
    from_phone_number_id: Optional[int] = None


class InitiateCall(BaseModel):
    workflow_id: int
    phone_number: Optional[Text] = None
    workflow_run_id: Optional[int] = None
    telephony_configuration_id: Optional[int] = None
    from_phone_number_id: Optional[int] = None
    initial_context: Optional[dict] = None


Needed = Annotated[str, Field(min_length=1, max_length=8192)]
Given = Optional[Annotated[str, Field(max_length=255)]]


class AriAccount(BaseModel):
    provider: Literal["ari"]
    ari_endpoint: Needed
    app_name: Needed
    app_password: Needed
    ws_client_name: Given = None
    external_pbx: Optional[dict] = None


class CloudonixAccount(BaseModel):
    provider: Literal["cloudonix"]
    bearer_token: Needed
    domain_id: Needed
    application_name: Given = None


class PlivoAccount(BaseModel):
    provider: Literal["plivo"]
    auth_id: Needed
    auth_token: Needed
    application_id: Given = None


class TelnyxAccount(BaseModel):
    provider: Literal["telnyx"]
    api_key: Needed
    connection_id: Given = None
    webhook_public_key: Optional[Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{43}=$"), Trimmed]] = None


class TwilioAccount(BaseModel):
    provider: Literal["twilio"]
    account_sid: Needed
    auth_token: Needed
    amd_enabled: bool = False


class VobizAccount(PlivoAccount):
    provider: Literal["vobiz"]


class VonageAccount(BaseModel):
    provider: Literal["vonage"]
    api_key: Needed
    api_secret: Needed
    application_id: Needed
    private_key: Needed
    signature_secret: Given = None


Account = Annotated[
    Union[AriAccount, CloudonixAccount, PlivoAccount, TelnyxAccount, TwilioAccount, VobizAccount, VonageAccount],
    Field(discriminator="provider"),
]
ConnectionName = Annotated[str, Field(min_length=1, max_length=64)]


class CreateConnection(BaseModel):
    name: ConnectionName
    is_default_outbound: bool = False
    config: Account


class UpdateConnection(BaseModel):
    name: Optional[ConnectionName] = None
    config: Optional[Account] = None


Country = Optional[Annotated[str, Field(pattern=r"^[A-Za-z]{2}$")]]
Label = Optional[Annotated[str, Field(max_length=64)]]


class CreateNumber(BaseModel):
    address: Annotated[str, Field(min_length=1, max_length=255)]
    country_code: Country = None
    label: Label = None
    inbound_workflow_id: Optional[int] = None
    is_active: bool = True
    is_default_caller_id: bool = False
    telephony_trunk_id: Optional[int] = None
    extra_metadata: Optional[dict] = None


class UpdateNumber(BaseModel):
    label: Label = None
    inbound_workflow_id: Optional[int] = None
    clear_inbound_workflow: bool = False
    is_active: Optional[bool] = None
    country_code: Country = None
    extra_metadata: Optional[dict] = None
    telephony_trunk_id: Optional[int] = None
    clear_trunk: bool = False


RecordingName = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-zA-Z0-9_-]+$")]
Voice = Optional[Annotated[str, Field(max_length=255)]]


class RecordingFile(BaseModel):
    filename: Annotated[str, Field(min_length=1)]
    mime_type: Annotated[str, Field(max_length=255)] = "audio/wav"
    file_size: Annotated[int, Field(gt=0, le=5242880)]


class PresignRecordings(BaseModel):
    files: Annotated[list[RecordingFile], Field(min_length=1, max_length=20)]


class NewRecording(BaseModel):
    recording_id: RecordingName
    storage_key: Annotated[str, Field(min_length=1, max_length=255)]
    transcript: Text
    workflow_id: Optional[int] = None
    tts_provider: Voice = None
    tts_model: Voice = None
    tts_voice_id: Voice = None
    metadata: Optional[dict] = None


class RegisterRecordings(BaseModel):
    recordings: Annotated[list[NewRecording], Field(min_length=1, max_length=20)]


class RenameRecording(BaseModel):
    recording_id: RecordingName


DeliveryState = Literal["pending", "succeeded", "dead_letter"]
Moment = Annotated[
    str,
    Field(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"),
]


class RewindTextSession(BaseModel):
    cursor_turn_id: Optional[Text] = None
    expected_revision: Optional[int] = None


class EndTextSession(BaseModel):
    expected_revision: Optional[int] = None


class ResendDeliveries(BaseModel):
    state: Optional[DeliveryState] = None
    workflow_id: Optional[int] = None
    run_id: Optional[int] = None
    created_from: Optional[Moment] = Field(None, alias="from")
    created_to: Optional[Moment] = Field(None, alias="to")


class CredentialType(str, Enum):
    none = "none"
    api_key = "api_key"
    bearer_token = "bearer_token"
    basic_auth = "basic_auth"
    custom_header = "custom_header"


class CreateCredential(BaseModel):
    name: Text
    description: Optional[Text] = None
    credential_type: CredentialType
    credential_data: dict
    allowed_hosts: Optional[Annotated[list[Annotated[str, Field(max_length=255)]], Field(max_length=100)]] = None


class UpdateCredential(BaseModel):
    name: Optional[Text] = None
    description: Optional[Text] = None
    credential_type: Optional[CredentialType] = None
    credential_data: Optional[dict] = None
    allowed_hosts: Optional[Annotated[list[Annotated[str, Field(max_length=255)]], Field(max_length=100)]] = None


ValueType = Literal["string", "number", "boolean", "object", "array"]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def known_method(value: Any) -> Any:
    """[D] any letter case; anything but a method is a value error, whatever its JSON type."""
    if not isinstance(value, str) or value.upper() not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}")
    return value.upper()


class ToolParameter(BaseModel):
    name: Text
    type: ValueType
    description: Text
    required: bool = True


class PresetParameter(BaseModel):
    name: Text
    type: ValueType
    value_template: Text
    required: bool = True


class HttpApiConfig(BaseModel):
    method: Annotated[str, BeforeValidator(known_method)]
    url: Text
    headers: Optional[dict[str, Text]] = None
    credential_uuid: Optional[Text] = None
    parameters: Optional[list[ToolParameter]] = None
    preset_parameters: Optional[list[PresetParameter]] = None
    timeout_ms: Optional[Annotated[int, Field(ge=1)]] = 5000
    customMessage: Optional[Text] = None
    customMessageType: Optional[Literal["text", "audio"]] = None
    customMessageRecordingId: Optional[Text] = None
    body_template: Optional[dict] = None


class EndCallConfig(BaseModel):
    messageType: Literal["none", "custom", "audio"] = "none"
    customMessage: Optional[Text] = None
    audioRecordingId: Optional[Text] = None
    endCallReason: bool = False
    endCallReasonDescription: Optional[Text] = None


class Resolver(BaseModel):
    type: Literal["http"] = "http"
    url: Text
    headers: Optional[dict[str, Text]] = None
    credential_uuid: Optional[Text] = None
    timeout_ms: Annotated[int, Field(ge=500, le=5000)] = 3000
    wait_message: Optional[Text] = None
    parameters: Optional[list[ToolParameter]] = None
    preset_parameters: Optional[list[PresetParameter]] = None


class Destination(BaseModel):
    context_value: Text
    destination: Text


class ContextRule(BaseModel):
    context_path: Text
    routes: list[Destination]


class ContextMapping(BaseModel):
    rules: list[ContextRule]
    fallback_destination: Optional[Text] = None


class TransferCallConfig(BaseModel):
    destination_source: Literal["static", "dynamic", "context_mapping"] = "static"
    destination: Text = ""
    messageType: Literal["none", "custom", "audio"] = "none"
    customMessage: Optional[Text] = None
    audioRecordingId: Optional[Text] = None
    timeout: Annotated[int, Field(ge=5, le=120)] = 30
    parameters: Optional[list[ToolParameter]] = None
    resolver: Optional[Resolver] = None
    context_mapping: Optional[ContextMapping] = None


class McpConfig(BaseModel):
    transport: Literal["streamable_http"] = "streamable_http"
    url: Text
    credential_uuid: Optional[Text] = None
    tools_filter: list[Text] = Field(default_factory=list)
    timeout_secs: Annotated[int, Field(ge=0)] = 30
    sse_read_timeout_secs: Annotated[int, Field(ge=0)] = 300
    discovered_tools: list[dict] = Field(default_factory=list)


class HttpApiTool(BaseModel):
    type: Literal["http_api"]
    config: HttpApiConfig


class EndCallTool(BaseModel):
    type: Literal["end_call"]
    config: EndCallConfig


class TransferCallTool(BaseModel):
    type: Literal["transfer_call"]
    config: TransferCallConfig


class CalculatorTool(BaseModel):
    type: Literal["calculator"]


class McpTool(BaseModel):
    type: Literal["mcp"]
    config: McpConfig


ToolDefinition = Annotated[Union[HttpApiTool, EndCallTool, TransferCallTool, CalculatorTool, McpTool], Field(discriminator="type")]


class CreateTool(BaseModel):
    name: Annotated[str, Field(max_length=255)]
    description: Optional[Text] = None
    category: Optional[Literal["http_api", "end_call", "transfer_call", "calculator", "native", "integration", "mcp"]] = None
    icon: Text = "globe"
    icon_color: Text = "#3B82F6"
    definition: ToolDefinition

    @model_validator(mode="after")
    def one_type(self) -> "CreateTool":
        if self.category is not None and self.category != self.definition.type:
            raise ValueError("category must be the type of the definition")
        return self


class UpdateTool(BaseModel):
    name: Optional[Annotated[str, Field(max_length=255)]] = None
    description: Optional[Text] = None
    icon: Optional[Text] = None
    icon_color: Optional[Text] = None
    definition: Optional[ToolDefinition] = None
    status: Optional[Literal["active", "archived", "draft"]] = None


class TestTool(BaseModel):
    llm_params: dict = Field(default_factory=dict)
    preset_params: dict = Field(default_factory=dict)


class Signup(BaseModel):
    email: EmailStr
    password: Annotated[str, Field(min_length=8)]
    name: Optional[Text] = None


class Login(BaseModel):
    email: EmailStr
    password: Text


Words = Annotated[list[Annotated[str, Field(max_length=128)]], Field(max_length=500)]


class Onboarding(BaseModel):
    completed_at: Optional[Moment] = None
    skipped: bool = False
    seen_tooltips: Words = Field(default_factory=list)
    completed_actions: Words = Field(default_factory=list)


class CreateApiKey(BaseModel):
    name: Text
    scopes: Optional[Annotated[list[Literal["read", "people:read", "agents:write", "calls:trigger", "dialing:stop", "webhooks:replay", "keys:write", "account:write", "admin"]], Field(min_length=1)]] = None
    expires_at: Optional[Moment] = None


class RotateApiKey(BaseModel):
    grace_period_seconds: Optional[Annotated[int, Field(ge=0, le=2592000)]] = None


class RetryConfig(BaseModel):
    enabled: bool = True
    max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    retry_delay_seconds: Annotated[int, Field(ge=30, le=3600)] = 120
    retry_on_busy: bool = True
    retry_on_no_answer: bool = True
    retry_on_voicemail: bool = True


TimeOfDay = Annotated[str, Field(pattern=r"^\d{2}:\d{2}$")]


class Slot(BaseModel):
    day_of_week: Annotated[int, Field(ge=0, le=6)]
    start_time: TimeOfDay
    end_time: TimeOfDay

    @model_validator(mode="after")
    def check(self):
        for name in ["start_time", "end_time"]:
            latest = "24:00" if name == "end_time" else "23:59"
            if getattr(self, name) > latest or getattr(self, name)[3:] > "59":
                raise ValueError(f"{name} must be a time of day")
        if self.start_time >= self.end_time:
            raise ValueError("start_time must be before end_time; a slot does not cross midnight")
        return self


class ScheduleConfig(BaseModel):
    enabled: bool = True
    timezone: Annotated[str, Field(min_length=1, max_length=64), KnownZone] = "UTC"
    slots: Annotated[list[Slot], Field(min_length=1, max_length=50)]


class CircuitBreaker(BaseModel):
    enabled: bool = True
    failure_threshold: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.5
    window_seconds: Annotated[int, Field(ge=30, le=600)] = 120
    min_calls_in_window: Annotated[int, Field(ge=1, le=100)] = 5


class Exact(BaseModel):
    """Ours: a rule whose name is mistyped is refused."""

    model_config = ConfigDict(extra="forbid")


class Plan(Exact):
    waits_seconds: Annotated[list[Annotated[int, Field(ge=30, le=2_592_000)]], Field(min_length=1, max_length=20)]
    max_retries: Annotated[int, Field(ge=0, le=20)]
    next_day: bool = None
    other_part_of_day: bool = None


class RetryPlan(Exact):
    no_answer: Plan = None
    busy: Plan = None
    declined: Plan = None
    voicemail: Plan = None
    voicemail_message: Plan = None
    short_answer: Plan = None
    reached: Plan = None


Cap = Optional[Annotated[int, Field(ge=1, le=1000)]]


class Caps(Exact):
    per_hour: Cap = None
    per_day: Cap = None
    per_week: Cap = None


class Ramp(Exact):
    lines: Annotated[int, Field(ge=1, le=1000)]
    each_minute: Annotated[int, Field(ge=1, le=1000)]


class CampaignRules(Exact):
    window_zone: Literal["campaign", "contact"] = None
    retry_plan: RetryPlan = None
    max_attempts: Annotated[int, Field(ge=1, le=50)] = None
    caps: Caps = None
    starts_per_second: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)] = None
    ramp: Ramp = None
    weight: Annotated[int, Field(ge=1, le=100)] = None
    from_phone_number_ids: Annotated[list[int], Field(min_length=1, max_length=500)] = None
    start_order: Literal["file", "priority", "latest_first", "closing_window"] = None
    agent_version: Literal["published", "pinned"] = None


CampaignName = Annotated[str, Field(min_length=1, max_length=255)]
Lines = Optional[Annotated[int, Field(ge=1, le=100)]]


class CreateCampaign(BaseModel):
    name: CampaignName
    workflow_id: int
    source_type: Annotated[str, Field(pattern="^csv$")]
    source_id: Annotated[str, Field(min_length=1, max_length=255)]
    telephony_configuration_id: Optional[int] = None
    retry_config: Optional[RetryConfig] = None
    max_concurrency: Lines = None
    schedule_config: Optional[ScheduleConfig] = None
    circuit_breaker: Optional[CircuitBreaker] = None
    strict: bool = False
    identifier_column: Optional[Annotated[str, Field(min_length=1, max_length=255)]] = None
    rules: Optional[CampaignRules] = None


class UpdateCampaign(BaseModel):
    name: Optional[CampaignName] = None
    retry_config: Optional[RetryConfig] = None
    max_concurrency: Lines = None
    schedule_config: Optional[ScheduleConfig] = None
    circuit_breaker: Optional[CircuitBreaker] = None
    rules: Optional[CampaignRules] = None


RedialableOutcome = Literal["reached", "short_answer", "callback", "no_answer", "busy", "declined", "voicemail", "voicemail_message", "provider", "capacity", "own_fault", "not_dialed", "unknown", "canceled"]


class RedialCampaign(BaseModel):
    name: Optional[CampaignName] = None
    retry_on_voicemail: bool = True
    retry_on_no_answer: bool = True
    retry_on_busy: bool = True
    retry_config: Optional[RetryConfig] = None
    outcomes: Optional[Annotated[list[RedialableOutcome], Field(min_length=1, max_length=14)]] = None

    @model_validator(mode="after")
    def check(self):
        if self.outcomes is None and not (self.retry_on_voicemail or self.retry_on_no_answer or self.retry_on_busy):
            raise ValueError("at least one of retry_on_voicemail, retry_on_no_answer and retry_on_busy must be true")
        return self


class StopCampaign(BaseModel):
    mode: Literal["finish", "hang_up"] = "finish"


class SuppressNumbers(BaseModel):
    phone_numbers: Annotated[list[Text], Field(min_length=1, max_length=1000)]
    reason: Optional[Annotated[str, Field(max_length=500)]] = None


HourAndMinute = Annotated[str, Field(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class PolicySlot(BaseModel):
    day_of_week: Annotated[int, Field(ge=0, le=6)]
    start_time: HourAndMinute
    end_time: HourAndMinute

    @model_validator(mode="after")
    def check(self):
        if self.start_time >= self.end_time:
            raise ValueError("start_time must be before end_time")
        return self


class PolicyCaps(BaseModel):
    per_hour: Cap = None
    per_day: Cap = None
    per_week: Cap = None


class PolicyWindow(BaseModel):
    slots: Annotated[list[PolicySlot], Field(min_length=1, max_length=50)]


SipHost = Annotated[str, Field(pattern=r"^(?:[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$", max_length=253)]


class DialPolicy(BaseModel):
    reserved_lines: Optional[Annotated[int, Field(ge=0, le=1000)]] = None
    starts_per_second: Optional[Annotated[float, Field(ge=0.01, le=100, allow_inf_nan=False)]] = None
    caps: Optional[PolicyCaps] = None
    window: Optional[PolicyWindow] = None
    allowed_countries: Optional[Annotated[list[Annotated[str, Field(pattern="^[A-Z]{2}$")]], Field(min_length=1, max_length=300)]] = None
    allow_special_numbers: Optional[bool] = None
    allowed_sip_hosts: Optional[Annotated[list[SipHost], Field(min_length=1, max_length=100)]] = None
    max_calls_per_day: Optional[Annotated[int, Field(ge=1, le=10_000_000)]] = None
    max_call_minutes_per_day: Optional[Annotated[int, Field(ge=1, le=10_000_000)]] = None


def given(value: Any) -> Any:
    """The keys that were sent, and those with a default."""
    if isinstance(value, BaseModel):
        return {name: given(each) for name, each in value if name in value.model_fields_set or each is not None}
    return [given(each) for each in value] if isinstance(value, list) else value


def ascii_json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value, ensure_ascii=True), status, media_type="application/json")


NOT_IN_STRINGS = re.compile(r'"(?:\\.|[^"\\])*"|-?Infinity|NaN|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?', re.S)


def first_unkeepable(text: str) -> Optional[int]:
    """Offset of the first number that no double holds, among what stands outside of strings."""
    for match in NOT_IN_STRINGS.finditer(text):
        token = match.group()
        if not token.startswith('"') and (token[-1] in "yN" or float(token) in (float("inf"), float("-inf"))):
            return match.start()
    return None


class StrictRequest(Request):
    """[O] a number that no double holds is broken JSON at its offset."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            text = body.decode("utf-8-sig")
            bad = first_unkeepable(text)
            try:
                parsed = json.loads(text)
            except json.JSONDecodeError as error:
                if bad is None or error.pos < bad:
                    raise
                parsed = None
            if bad is not None:
                raise json.JSONDecodeError("Expecting value", text, bad)
            self._json = parsed
        return self._json


class StrictRoute(APIRoute):
    def get_route_handler(self):
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return handle


def caller(
    api_key: Annotated[Optional[str], Header(alias="X-API-Key")] = None,
    authorization: Annotated[Optional[str], Header()] = None,
) -> str:
    if api_key:
        if api_key != "good":
            raise HTTPException(401, "Invalid or expired API key")
        return api_key
    if authorization:
        if authorization != "Bearer good":
            raise HTTPException(401, "Invalid or expired token")
        return authorization
    raise HTTPException(401, "Authorization header required")


IdempotencyKey = Annotated[Optional[str], Header(alias="Idempotency-Key", min_length=1, max_length=255, pattern="^[!-~]+$")]
Caller = Annotated[str, Depends(caller)]
router = APIRouter(prefix="/api/v1", route_class=StrictRoute)


@router.post("/workflow/create/definition")
def create_agent(body: CreateAgent, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/workflow/fetch")
def list_agents(who: Caller, status: Optional[str] = None):
    return ascii_json([])


@router.get("/workflow/fetch/{workflow_id}")
def get_agent(workflow_id: int, who: Caller):
    return ascii_json({})


@router.put("/workflow/{workflow_id}")
def update_agent(workflow_id: int, body: UpdateAgent, who: Caller):
    sent = body.model_dump(exclude_unset=True)
    if sent.get("workflow_configurations") is not None:
        sent["workflow_configurations"] = {key: value for key, value in sent["workflow_configurations"].items() if value is not None}
    return ascii_json(sent)


@router.post("/workflow/{workflow_id}/publish")
def publish(workflow_id: int, who: Caller, key: IdempotencyKey = None):
    return ascii_json({})


@router.post("/workflow/{workflow_id}/create-draft")
def create_draft(workflow_id: int, who: Caller, key: IdempotencyKey = None):
    return ascii_json({})


@router.get("/workflow/{workflow_id}/versions")
def list_versions(
    workflow_id: int,
    who: Caller,
    limit: Annotated[Optional[int], Query(ge=1, le=100)] = None,
    offset: Annotated[Optional[int], Query(ge=0)] = None,
):
    return ascii_json([])


@router.put("/workflow/{workflow_id}/status")
def change_status(workflow_id: int, body: ChangeStatus, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.put("/workflow/{workflow_id}/folder")
def move_to_folder(workflow_id: int, body: MoveToFolder, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/workflow/templates/duplicate")
def duplicate_template(body: DuplicateTemplate, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump())


@router.post("/workflow/create/template")
def generate_agent(body: GenerateAgent, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump())


@router.post("/workflow/{workflow_id}/duplicate")
def duplicate(workflow_id: int, who: Caller, key: IdempotencyKey = None):
    return ascii_json({})


@router.post("/workflow/{workflow_id}/versions/{version_number}/restore")
def restore_version(workflow_id: int, version_number: int, who: Caller, key: IdempotencyKey = None):
    return ascii_json({})


ReportBound = Annotated[
    Optional[str],
    Query(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$"),
]


@router.get("/workflow/{workflow_id}/report")
def report(workflow_id: int, who: Caller, start_date: ReportBound = None, end_date: ReportBound = None):
    return ascii_json({})


@router.post("/folder/")
def create_folder(body: FolderName, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump())


@router.put("/folder/{folder_id}")
def rename_folder(folder_id: int, body: FolderName, who: Caller):
    return ascii_json(body.model_dump())


@router.put("/organizations/preferences")
def update_preferences(body: UpdatePreferences, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.put("/organizations/model-configurations/v2")
def save_models(body: ModelConfiguration, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.put("/user/configurations/user")
def save_user_configuration(body: UserConfiguration, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/user/configurations/user/validate")
def validate_user_configuration(who: Caller, validity_ttl_seconds: Annotated[int, Query(ge=0, le=86400)] = 60):
    return ascii_json({})


@router.post("/organizations/telephony-configs")
def create_connection(body: CreateConnection, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.put("/organizations/telephony-configs/{telephony_configuration_id}")
def update_connection(telephony_configuration_id: int, body: UpdateConnection, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/organizations/telephony-configs/{telephony_configuration_id}/phone-numbers")
def create_number(telephony_configuration_id: int, body: CreateNumber, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.put("/organizations/telephony-configs/{telephony_configuration_id}/phone-numbers/{phone_number_id}")
def update_number(telephony_configuration_id: int, phone_number_id: int, body: UpdateNumber, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/workflow-recordings/upload-url")
def presign_recordings(body: PresignRecordings, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/workflow-recordings/")
def register_recordings(body: RegisterRecordings, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.patch("/workflow-recordings/{recording_id}")
def rename_recording(recording_id: str, body: RenameRecording, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/knowledge-base/documents")
def list_documents(
    who: Caller,
    status: Optional[str] = None,
    limit: Annotated[Optional[int], Query(ge=1, le=100)] = None,
    offset: Annotated[Optional[int], Query(ge=0)] = None,
):
    return ascii_json({})


@router.get("/workflow-recordings/")
def list_recordings(who: Caller, workflow_id: Optional[int] = None, tts_provider: Optional[str] = None, tts_model: Optional[str] = None, tts_voice_id: Optional[str] = None):
    return ascii_json({})


@router.get("/health/autoscale-metric")
def autoscale_metric(buffer: Annotated[Optional[int], Query(ge=0, le=1000000)] = None):
    return ascii_json({})


@router.post("/workflow/{workflow_id}/validate")
def validate(workflow_id: int, who: Caller):
    return ascii_json({})


@router.post("/workflow/{workflow_id}/text-chat/sessions")
def create_session(workflow_id: int, body: CreateTextSession, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/workflow/{workflow_id}/text-chat/sessions/{run_id}")
def get_session(workflow_id: int, run_id: int, who: Caller):
    return ascii_json({})


@router.post("/workflow/{workflow_id}/text-chat/sessions/{run_id}/messages")
def send_message(workflow_id: int, run_id: int, body: SendTextMessage, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/workflow/{workflow_id}/text-chat/sessions/{run_id}/rewind")
def rewind_session(workflow_id: int, run_id: int, body: RewindTextSession, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/workflow/{workflow_id}/text-chat/sessions/{run_id}/end")
def end_session(workflow_id: int, run_id: int, body: EndTextSession, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/workflow/{workflow_id}/runs")
def list_runs(
    workflow_id: int,
    who: Caller,
    page: Annotated[Optional[int], Query(ge=1)] = None,
    limit: Annotated[Optional[int], Query(ge=1, le=100)] = None,
    filters: Optional[str] = None,
    sort_by: Annotated[Optional[Literal["created_at", "duration"]], Query()] = None,
    sort_order: Annotated[Optional[Literal["asc", "desc"]], Query()] = None,
):
    return ascii_json({})


@router.get("/organizations/usage/runs")
def list_usage_runs(
    who: Caller,
    start_date: ReportBound = None,
    end_date: ReportBound = None,
    page: Annotated[Optional[int], Query(ge=1)] = None,
    limit: Annotated[Optional[int], Query(ge=1, le=100)] = None,
    filters: Optional[str] = None,
    sort_by: Annotated[Optional[Literal["created_at", "duration"]], Query()] = None,
    sort_order: Annotated[Optional[Literal["asc", "desc"]], Query()] = None,
):
    return ascii_json({})


@router.get("/organizations/usage/runs/report")
def download_usage_report(who: Caller, start_date: ReportBound = None, end_date: ReportBound = None, filters: Optional[str] = None):
    return ascii_json({})


ZoneName = Annotated[str, Query(max_length=64), KnownZone]


@router.get("/organizations/usage/daily-breakdown")
def daily_usage(who: Caller, days: Annotated[Optional[int], Query(ge=1, le=30)] = None, timezone: Optional[ZoneName] = None, filters: Optional[str] = None):
    return ascii_json({})


FileSize = Annotated[int, Field(gt=0, le=10_485_760)]
MediaType = Annotated[str, Field(max_length=255)]


class PresignUpload(BaseModel):
    file_name: Annotated[str, Field(pattern=r".*\.csv$")]
    file_size: FileSize
    content_type: MediaType = "text/csv"


class AmbientNoiseUpload(BaseModel):
    workflow_id: int
    filename: Annotated[str, Field(min_length=1)]
    mime_type: MediaType = "audio/wav"
    file_size: FileSize


@router.post("/s3/presigned-upload-url")
def presign_upload(body: PresignUpload, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/workflow/ambient-noise/upload-url")
def presign_ambient_noise(body: AmbientNoiseUpload, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/s3/signed-url")
def sign_url(
    key: Annotated[str, Query()],
    who: Caller,
    expires_in: Annotated[Optional[int], Query(ge=1, le=604_800)] = None,
    inline: Optional[bool] = None,
    storage_backend: Optional[str] = None,
):
    return ascii_json({})


@router.get("/s3/file-metadata")
def file_metadata(key: Annotated[str, Query()], who: Caller):
    return ascii_json({})


ReportDay = Annotated[str, Query(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]


def daily_report(who: Caller, date: ReportDay, timezone: ZoneName, workflow_id: Optional[int] = None):
    return ascii_json({})


for path in ["/daily", "/daily/runs"]:
    router.add_api_route(f"/organizations/reports{path}", daily_report, methods=["GET"])


@router.post("/workflow/{workflow_id}/runs")
def create_run(workflow_id: int, body: CreateRun, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


def trigger_call(
    uuid: str,
    body: TriggerCall,
    x_api_key: Annotated[str, Header(alias="X-API-Key")],
    key: IdempotencyKey = None,
):
    """The key is a field of the request: absent it is one of the 422's records, and a bearer is not looked at (5.2)."""
    if x_api_key != "good":
        raise HTTPException(401, "Invalid API key")
    return ascii_json(body.model_dump(exclude_unset=True))


for path in ["/test/workflow/{uuid}", "/workflow/{uuid}", "/test/{uuid}", "/{uuid}"]:
    router.add_api_route(f"/public/agent{path}", trigger_call, methods=["POST"])


@router.post("/telephony/initiate-call")
def initiate_call(body: InitiateCall, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/workflow/{workflow_id}/runs/{run_id}")
def get_run(workflow_id: int, run_id: int, who: Caller):
    return ascii_json({})


@router.get("/public/download/workflow/{token}/{artifact}")
def download(token: str, artifact: str, inline: bool = False):
    return ascii_json({})


@router.get("/webhook-deliveries")
def list_deliveries(
    who: Caller,
    state: Annotated[Optional[DeliveryState], Query()] = None,
    workflow_id: Optional[int] = None,
    run_id: Optional[int] = None,
    created_from: Annotated[Optional[Moment], Query(alias="from")] = None,
    created_to: Annotated[Optional[Moment], Query(alias="to")] = None,
    cursor: Annotated[Optional[str], Query(pattern="^[0-9]{1,15}$")] = None,
    limit: Annotated[Optional[int], Query(ge=1, le=100)] = None,
):
    return ascii_json({})


@router.post("/webhook-deliveries/resend")
def resend_deliveries(body: ResendDeliveries, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True, by_alias=True))


@router.post("/credentials/")
def create_credential(body: CreateCredential, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.put("/credentials/{credential_uuid}")
def update_credential(credential_uuid: str, body: UpdateCredential, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/tools/")
def create_tool(body: CreateTool, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump())


@router.put("/tools/{tool_uuid}")
def update_tool(tool_uuid: str, body: UpdateTool, who: Caller):
    return ascii_json(body.model_dump())


@router.post("/tools/{tool_uuid}/test")
def test_tool(tool_uuid: str, body: TestTool, who: Caller):
    return ascii_json(body.model_dump())


@router.post("/auth/signup")
def sign_up(body: Signup):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/auth/login")
def log_in(body: Login):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.put("/user/onboarding-state")
def update_onboarding_state(body: Onboarding, who: Caller):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.get("/user/api-keys")
def list_api_keys(who: Caller, include_archived: bool = False):
    return ascii_json([])


@router.post("/user/api-keys")
def create_api_key(body: CreateApiKey, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.delete("/user/api-keys/{api_key_id}")
def archive_api_key(api_key_id: int, who: Caller):
    return ascii_json({})


@router.post("/user/api-keys/{api_key_id}/rotate")
def rotate_api_key(api_key_id: int, body: RotateApiKey, who: Caller, key: IdempotencyKey = None):
    return ascii_json(body.model_dump(exclude_unset=True))


@router.post("/campaign/create")
def create_campaign(body: CreateCampaign, who: Caller, key: IdempotencyKey = None):
    return ascii_json(given(body))


@router.patch("/campaign/{campaign_id}")
def update_campaign(campaign_id: int, body: UpdateCampaign, who: Caller):
    return ascii_json(given(body))


@router.post("/campaign/{campaign_id}/redial")
def redial_campaign(campaign_id: int, body: RedialCampaign, who: Caller, key: IdempotencyKey = None):
    return ascii_json(given(body))


@router.post("/campaign/{campaign_id}/stop")
def stop_campaign(campaign_id: int, body: StopCampaign, who: Caller, key: IdempotencyKey = None):
    return ascii_json(given(body))


@router.post("/suppressions")
def suppress_numbers(body: SuppressNumbers, who: Caller):
    return ascii_json(given(body))


@router.put("/organizations/dial-policy")
def update_dial_policy(body: DialPolicy, who: Caller):
    return ascii_json(given(body))


def create_app() -> FastAPI:
    app = FastAPI()
    app.include_router(router)

    @app.exception_handler(RequestValidationError)
    async def refuse(request: Request, error: RequestValidationError) -> Response:
        return ascii_json({"detail": jsonable_encoder(error.errors())}, 422)

    return app
