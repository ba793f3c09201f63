/**
 * Every metric of our own, in one place: alert rules, dashboard and code use these names (a test compares
 * them).
 *
 * A label only ever has a value of a closed list: `closedLabels` here, and `givenLabels` when the process is
 * composed (routes, activities, outcomes of calls). Anything else is counted under `other`. So nothing that a
 * caller or a customer wrote, and nothing about a person, can get into a label, and the number of series is
 * known beforehand.
 */

export type Role = 'api' | 'worker' | 'media';

export const closedLabels = {
  method: ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'],
  status_class: ['2xx', '3xx', '4xx', '5xx', 'none'],
  dependency: ['mysql', 'temporal', 'workers'],
  connection: ['idle', 'used'],
  turn_outcome: ['committed', 'failed'],
  stage: ['model_first_token', 'model', 'whole', 'overhead', 'commit'],
  form: ['words', 'json', 'judgment', 'generation'],
  token_kind: ['prompt', 'cached_prompt', 'completion'],
  reason: [
    'timeout',
    'unreachable',
    'lost',
    'unreadable',
    'refused_key',
    'rate_limit',
    'client_error',
    'server_error',
  ],
  ahead: ['claimed', 'discarded'],
  extraction_outcome: ['found', 'unreadable', 'failed'],
  judgment_outcome: ['judged', 'skipped', 'failed'],
  admission: ['admitted', 'refused'],
  live_state: ['pending', 'admitted', 'talking', 'ending'],
  result: ['succeeded', 'retry', 'dead', 'error'],
  delivery_state: ['pending', 'dead_letter'],
  fate: ['lost', 'late', 'duplicate'],
  close_code: ['1000', '1001', '1005', '1006', '1011', '1013', '4400', '4401', '4404', '4409'],
  seat_outcome: ['seated', 'full', 'refused'],
  session_state: ['seated', 'connected', 'live'],
  gone: ['stopped', 'closed', 'silent_socket', 'fenced', 'released'],
  limit: [
    'key_reads',
    'key_writes',
    'key_calls',
    'organization_reads',
    'organization_writes',
    'organization_calls',
    'network_downloads',
  ],
  command: [
    'dial',
    'answer',
    'reject',
    'hang_up',
    'start_streaming',
    'stop_streaming',
    'speak',
    'start_playback',
    'stop_playback',
    'send_dtmf',
    'status',
    'find_leg',
    'create_conference',
    'join_conference',
    'check_credentials',
    'find_number',
    'find_application',
    'create_application',
    'update_application',
  ],
  command_outcome: [
    'done',
    'over',
    'busy',
    'capacity',
    'ended',
    'not_answered',
    'bad_leg',
    'stream_busy',
    'not_streaming',
    'setup',
    'refused',
    'unknown',
  ],
  receipt: [
    'kept',
    'unknown_call',
    'not_believed',
    'unreadable',
    'taken',
    'ignored',
    'refused',
    'not_recognized',
  ],
  attached: ['attached', 'busy', 'over', 'stale'],
  table: [
    'turns',
    'failed_turns',
    'call_summaries',
    'journal_entries',
    'carrier_events',
    'tool_runs',
    'text_sessions',
    'calls',
    'deliveries',
    'delivery_attempts',
    'idempotency_keys',
    'call_recordings',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Labels whose lists belong to other folders. */
export const givenLabels = [
  'route',
  'activity',
  'code',
  'disposition',
  'version',
  'model',
  'target_outcome',
  'wait_reason',
] as const;

export type LabelName = keyof typeof closedLabels | (typeof givenLabels)[number];

export interface Described {
  help: string;
  labels: readonly LabelName[];
  roles: readonly Role[];
  /** Upper limits of a histogram's buckets, in seconds. */
  buckets?: readonly number[];
}

const api: readonly Role[] = ['api'];
const worker: readonly Role[] = ['worker'];
const media: readonly Role[] = ['media'];
const carriers: readonly Role[] = ['api', 'worker'];
const all: readonly Role[] = ['api', 'worker', 'media'];

/** A frame lasts 20 ms, and little more than that is sent ahead. */
const tick = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1] as const;
/** People notice a quarter of a second: most limits lie below it. */
const quick = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;
const spoken = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.25, 1.5, 2, 2.5, 5, 10, 25,
] as const;

export const counters = {
  parlance_http_requests_total: {
    help: 'Requests answered by the API',
    labels: ['route', 'method', 'status_class'],
    roles: api,
  },
  parlance_requests_limited_total: {
    help: 'Requests refused because there were too many, by limit',
    labels: ['limit'],
    roles: api,
  },
  parlance_request_limit_failures_total: {
    help: 'Times that requests could not be counted in MySQL; the process counts for itself then',
    labels: [],
    roles: api,
  },
  parlance_turns_total: {
    help: 'Turns of conversations by how they ended',
    labels: ['turn_outcome'],
    roles: worker,
  },
  parlance_model_tokens_total: {
    help: 'Tokens that the language model reported, or that were estimated for it',
    labels: ['form', 'token_kind', 'model'],
    roles: all,
  },
  parlance_model_cost_usd_total: {
    help: "What those tokens cost in USD by the operator's price list; nothing without a price",
    labels: ['model'],
    roles: all,
  },
  parlance_model_failures_total: {
    help: 'Requests to the language model that failed; aborted ones are not counted',
    labels: ['form', 'reason'],
    roles: all,
  },
  parlance_recognition_audio_seconds_total: {
    help: 'Sound of callers that was given to the speech recognition',
    labels: [],
    roles: media,
  },
  parlance_recognition_failures_total: {
    help: 'Sessions of the speech recognition that were given up',
    labels: ['reason'],
    roles: media,
  },
  parlance_recognition_reconnects_total: {
    help: 'Connections to the speech recognition that were replaced in the middle of a session',
    labels: ['reason'],
    roles: media,
  },
  parlance_recognition_dropped_frames_total: {
    help: 'Frames of sound that the speech recognition did not take in time',
    labels: [],
    roles: media,
  },
  parlance_speech_characters_total: {
    help: 'Characters that were handed to the speech synthesis',
    labels: [],
    roles: media,
  },
  parlance_speech_audio_seconds_total: {
    help: 'Sound that the speech synthesis gave',
    labels: [],
    roles: media,
  },
  parlance_speech_failures_total: {
    help: 'Replies that the speech synthesis failed to speak; aborted ones are not counted',
    labels: ['reason'],
    roles: media,
  },
  parlance_replies_ahead_total: {
    help: "Answers that the language model was asked for before the call's Workflow asked, by what became of them",
    labels: ['ahead'],
    roles: media,
  },
  parlance_voices_ahead_total: {
    help: "Answers whose first clause a voice was given before the call's Workflow asked, by what became of them",
    labels: ['ahead'],
    roles: media,
  },
  parlance_extractions_total: {
    help: 'Attempts to read variables out of a transcript',
    labels: ['extraction_outcome'],
    roles: worker,
  },
  parlance_judgments_total: {
    help: 'What became of calls that a QA node was to judge',
    labels: ['judgment_outcome'],
    roles: worker,
  },
  parlance_calls_admitted_total: {
    help: 'Calls that were admitted, or refused, when their Workflow began',
    labels: ['admission'],
    roles: worker,
  },
  parlance_calls_ended_total: {
    help: "Calls whose record was completed; an outcome of an agent's own words is `other`",
    labels: ['disposition'],
    roles: worker,
  },
  parlance_activity_failures_total: {
    help: 'Attempts of activities that failed, by code of the error',
    labels: ['activity', 'code'],
    roles: worker,
  },
  parlance_delivery_attempts_total: { help: 'Webhook attempts by result', labels: ['result'], roles: worker },
  parlance_retention_rows_total: {
    help: 'Rows that retention removed or emptied',
    labels: ['table'],
    roles: worker,
  },
  parlance_carrier_commands_total: {
    help: 'Commands and questions to the carrier by what came of them; `unknown` got no answer',
    labels: ['command', 'command_outcome'],
    roles: carriers,
  },
  parlance_carrier_events_total: {
    help: 'What came to the addresses for carriers: events of calls that were kept, incoming calls that were taken or refused, and what was not believed',
    labels: ['receipt'],
    roles: api,
  },
  parlance_calls_moved_total: {
    help: 'Times that the line of a live call was to be moved to another media host, by what came of it',
    labels: ['attached'],
    roles: worker,
  },
  parlance_calls_given_up_total: {
    help: 'Live calls that no media host took over in time: the carrier apologized and hung up',
    labels: [],
    roles: worker,
  },
  parlance_media_seats_total: {
    help: 'Places that calls asked media hosts for: given, not given because the host is full or drains, or refused',
    labels: ['seat_outcome'],
    roles: media,
  },
  parlance_media_sessions_ended_total: {
    help: 'Live streams and kept places that ended, by why',
    labels: ['gone'],
    roles: media,
  },
  parlance_media_sockets_closed_total: {
    help: 'Media sockets that were closed, by close code',
    labels: ['close_code'],
    roles: media,
  },
  parlance_media_frames_late_total: {
    help: 'Frames of 20 ms that were sent too late: the person heard a gap',
    labels: [],
    roles: media,
  },
  parlance_media_frames_faulty_total: {
    help: 'Frames from carriers that did not come, came too late, or came twice',
    labels: ['fate'],
    roles: media,
  },
  parlance_media_recording_faults_total: {
    help: 'Pieces of recordings that could not be written; there is silence in their place',
    labels: [],
    roles: media,
  },
  parlance_campaign_dials_total: {
    help: 'Rows of campaigns that were leased, each with a call of its own',
    labels: [],
    roles: worker,
  },
  parlance_campaign_outcomes_total: {
    help: "Calls of campaigns that ended, by what their row's plan makes of it; those that reconciliation ended are not counted",
    labels: ['target_outcome'],
    roles: worker,
  },
  parlance_delivery_dead_letters_total: {
    help: 'Webhook deliveries that were given up',
    labels: [],
    roles: worker,
  },
} as const satisfies Record<string, Described>;

export const histograms = {
  parlance_http_request_seconds: {
    help: "Time from a request's headers to the end of its answer",
    labels: ['route', 'method'],
    roles: api,
    buckets: quick,
  },
  parlance_turn_stage_seconds: {
    help: 'Where the time of a turn goes: model, whole turn until its commit, overhead (whole without model), the commit alone',
    labels: ['stage'],
    roles: worker,
    buckets: spoken,
  },
  parlance_model_first_token_seconds: {
    help: 'Time until the language model said its first word',
    labels: ['form'],
    roles: all,
    buckets: spoken,
  },
  parlance_model_answer_seconds: {
    help: 'Time of a whole answer of the language model',
    labels: ['form'],
    roles: all,
    buckets: spoken,
  },
  parlance_recognition_final_seconds: {
    help: "Time from the end of a caller's voice until its words are final",
    labels: [],
    roles: media,
    buckets: spoken,
  },
  parlance_speech_first_audio_seconds: {
    help: 'Time from the first clause of a reply until its first sound',
    labels: [],
    roles: media,
    buckets: spoken,
  },
  parlance_reply_first_sound_seconds: {
    help: "Time from the end of a caller's speech until the agent is heard",
    labels: [],
    roles: media,
    buckets: spoken,
  },
  parlance_reply_overhead_seconds: {
    help: 'Time from the decision that a caller has finished until the agent is heard, without the time of model and voice',
    labels: [],
    roles: media,
    buckets: quick,
  },
  parlance_barge_in_seconds: {
    help: "Time from a caller's first sound until the agent was cut off",
    labels: [],
    roles: media,
    buckets: quick,
  },
  parlance_carrier_command_seconds: {
    help: 'Time of one command or question to the carrier, answered or not',
    labels: ['command'],
    roles: carriers,
    buckets: quick,
  },
  parlance_delivery_attempt_seconds: {
    help: 'Time of one webhook attempt with its records',
    labels: ['result'],
    roles: worker,
    buckets: quick,
  },
  parlance_media_tick_late_seconds: {
    help: 'How late the clock of a media host was, at each of its ticks',
    labels: [],
    roles: media,
    buckets: tick,
  },
} as const satisfies Record<string, Described>;

export const gauges = {
  parlance_build_info: { help: 'The running version; always 1', labels: ['version'], roles: all },
  parlance_http_requests_in_flight: { help: 'Requests that wait for their answer', labels: [], roles: api },
  parlance_dependency_up: {
    help: '1 when the dependency was usable at this scrape',
    labels: ['dependency'],
    roles: all,
  },
  parlance_mysql_connections: {
    help: "Connections of this process's pool",
    labels: ['connection'],
    roles: all,
  },
  parlance_mysql_waiting: { help: 'Queries that wait for a connection', labels: [], roles: all },
  parlance_media_sessions: {
    help: 'Calls that have a place at this media host',
    labels: ['session_state'],
    roles: media,
  },
  parlance_calls_live: {
    help: 'Calls that have not ended, from MySQL',
    labels: ['live_state'],
    roles: worker,
  },
  parlance_deliveries: {
    help: 'Webhook deliveries that wait, and those that were given up, from MySQL',
    labels: ['delivery_state'],
    roles: worker,
  },
  parlance_delivery_oldest_seconds: {
    help: 'Age of the oldest delivery that waits; 0 when none does',
    labels: [],
    roles: worker,
  },
  parlance_delivery_overdue_seconds: {
    help: 'How long the most overdue delivery has waited beyond the moment of its next attempt; 0 when none is overdue',
    labels: [],
    roles: worker,
  },
  parlance_carrier_events_waiting: {
    help: 'Events of carriers that their call was not told yet, from MySQL',
    labels: [],
    roles: worker,
  },
  parlance_carrier_event_oldest_seconds: {
    help: 'Age of the oldest of them; 0 when none waits',
    labels: [],
    roles: worker,
  },
  parlance_campaigns: {
    help: 'Campaigns that run, by why they dial nobody now (`none`: they do), from MySQL',
    labels: ['wait_reason'],
    roles: worker,
  },
  parlance_campaign_lines: {
    help: 'Rows of running campaigns that are in a call, from MySQL',
    labels: [],
    roles: worker,
  },
  parlance_campaign_overdue_seconds: {
    help: 'How long the row that is due to be dialed again longest has waited for a line; 0 when none waits',
    labels: [],
    roles: worker,
  },
  parlance_campaigns_idle: {
    help: 'Campaigns that run, have rows to dial and nothing in the way, and had nobody in a call for a minute; 0 while all is well',
    labels: [],
    roles: worker,
  },
  parlance_campaigns_held: {
    help: 'Campaigns that paused by themselves, by why',
    labels: ['wait_reason'],
    roles: worker,
  },
  parlance_retention_age_seconds: {
    help: 'Since retention was applied to the organization that waits longest; 0 when none has a policy',
    labels: [],
    roles: worker,
  },
} as const satisfies Record<string, Described>;

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof gauges;

export type CounterLabels<Name extends CounterName> = Readonly<
  Record<(typeof counters)[Name]['labels'][number], string>
>;
export type HistogramLabels<Name extends HistogramName> = Readonly<
  Record<(typeof histograms)[Name]['labels'][number], string>
>;
export type GaugeLabels<Name extends GaugeName> = Readonly<
  Record<(typeof gauges)[Name]['labels'][number], string>
>;
