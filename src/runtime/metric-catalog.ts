/**
 * Every metric of ours. Alert rules, dashboard and code use these names; a test compares them.
 *
 * A label has only values of a closed list: `closedLabels` here, and `givenLabels` from the composition of
 * the process (routes, activities, dispositions). Any other value becomes `other`. So no text from callers or
 * customers and no personal data can get into a label, and the number of series is bounded.
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
    'bad_number',
    'refused',
    'unknown',
  ],
  receipt: [
    'kept',
    'unknown_call',
    'unverified',
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
    'extractions',
    'text_sessions',
    'calls',
    'deliveries',
    'delivery_attempts',
    'idempotency_keys',
    'call_recordings',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Labels whose lists are defined in other folders. */
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
const speaking: readonly Role[] = ['worker', 'media'];
const carriers: readonly Role[] = ['api', 'worker'];
const all: readonly Role[] = ['api', 'worker', 'media'];

/** A frame lasts 20 ms, and hosts send little more than one frame ahead. */
const tick = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1] as const;
/** People notice delays from a quarter of a second on, so most limits lie below it. */
const quick = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;
const spoken = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.25, 1.5, 2, 2.5, 5, 10, 25,
] as const;

export const counters = {
  parlance_http_requests_total: {
    help: 'Requests that the API answered',
    labels: ['route', 'method', 'status_class'],
    roles: api,
  },
  parlance_requests_limited_total: {
    help: 'Requests refused by a rate limit, by limit',
    labels: ['limit'],
    roles: api,
  },
  parlance_request_limit_failures_total: {
    help: 'Failures to count requests in MySQL; the process then uses its own count',
    labels: [],
    roles: api,
  },
  parlance_turns_total: {
    help: 'Turns of conversations by outcome',
    labels: ['turn_outcome'],
    roles: speaking,
  },
  parlance_model_tokens_total: {
    help: 'Language model tokens, reported or estimated',
    labels: ['form', 'token_kind', 'model'],
    roles: all,
  },
  parlance_model_cost_usd_total: {
    help: "Cost of those tokens in USD by the operator's price list; 0 without a price",
    labels: ['model'],
    roles: all,
  },
  parlance_model_failures_total: {
    help: 'Failed language model requests, without aborted ones',
    labels: ['form', 'reason'],
    roles: all,
  },
  parlance_recognition_audio_seconds_total: {
    help: 'Audio of callers sent to the speech recognition',
    labels: [],
    roles: media,
  },
  parlance_recognition_failures_total: {
    help: 'Failed speech recognition sessions',
    labels: ['reason'],
    roles: media,
  },
  parlance_recognition_reconnects_total: {
    help: 'Speech recognition connections that were replaced during a session',
    labels: ['reason'],
    roles: media,
  },
  parlance_recognition_dropped_frames_total: {
    help: 'Audio frames that the speech recognition did not accept in time',
    labels: [],
    roles: media,
  },
  parlance_speech_characters_total: {
    help: 'Characters sent to the speech synthesis',
    labels: [],
    roles: media,
  },
  parlance_speech_audio_seconds_total: {
    help: 'Audio received from the speech synthesis',
    labels: [],
    roles: media,
  },
  parlance_speech_failures_total: {
    help: 'Replies that the speech synthesis failed to speak, without aborted ones',
    labels: ['reason'],
    roles: media,
  },
  parlance_replies_ahead_total: {
    help: "Model requests made before the call's Workflow asked, claimed or discarded",
    labels: ['ahead'],
    roles: media,
  },
  parlance_voices_ahead_total: {
    help: "Speech synthesis requests made before the call's Workflow asked, claimed or discarded",
    labels: ['ahead'],
    roles: media,
  },
  parlance_extractions_total: {
    help: 'Extractions from a transcript by outcome',
    labels: ['extraction_outcome'],
    roles: worker,
  },
  parlance_judgments_total: {
    help: 'Judgments of QA nodes by outcome',
    labels: ['judgment_outcome'],
    roles: worker,
  },
  parlance_calls_admitted_total: {
    help: 'Calls that were admitted or refused at the start of their Workflow',
    labels: ['admission'],
    roles: worker,
  },
  parlance_calls_ended_total: {
    help: 'Completed calls by disposition; a disposition that the agent defines is `other`',
    labels: ['disposition'],
    roles: worker,
  },
  parlance_activity_failures_total: {
    help: 'Failed activity attempts by error code',
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
    help: 'Commands and queries to the carrier by outcome; `unknown` got no answer',
    labels: ['command', 'command_outcome'],
    roles: carriers,
  },
  parlance_carrier_events_total: {
    help: 'Carrier webhooks: stored events, accepted and refused incoming calls, and unauthenticated or unreadable requests',
    labels: ['receipt'],
    roles: api,
  },
  parlance_calls_moved_total: {
    help: 'Attempts to move a live call to another media host, by outcome',
    labels: ['attached'],
    roles: worker,
  },
  parlance_calls_given_up_total: {
    help: 'Live calls that no media host took over in time; the carrier apologized and hung up',
    labels: [],
    roles: worker,
  },
  parlance_media_seats_total: {
    help: 'Requests for a seat at a media host: seated, full (or draining), or refused',
    labels: ['seat_outcome'],
    roles: media,
  },
  parlance_media_sessions_ended_total: {
    help: 'Ended streams and seats by reason',
    labels: ['gone'],
    roles: media,
  },
  parlance_media_sockets_closed_total: {
    help: 'Closed media sockets by close code',
    labels: ['close_code'],
    roles: media,
  },
  parlance_media_frames_late_total: {
    help: 'Frames of 20 ms sent too late; the listener heard a gap',
    labels: [],
    roles: media,
  },
  parlance_media_frames_faulty_total: {
    help: 'Frames from carriers that were lost, late or duplicate',
    labels: ['fate'],
    roles: media,
  },
  parlance_media_recording_faults_total: {
    help: 'Pieces of recordings that could not be written and were replaced by silence',
    labels: [],
    roles: media,
  },
  parlance_campaign_dials_total: {
    help: 'Campaign targets that were claimed, each for one call',
    labels: [],
    roles: worker,
  },
  parlance_campaign_outcomes_total: {
    help: 'Ended calls of campaigns by the outcome of their target, without calls that reconciliation ended',
    labels: ['target_outcome'],
    roles: worker,
  },
  parlance_delivery_dead_letters_total: {
    help: 'Webhook deliveries that became dead letters',
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
    help: 'Time of the parts of a turn: model, whole turn until its commit, overhead (whole without model), the commit alone',
    labels: ['stage'],
    roles: speaking,
    buckets: spoken,
  },
  parlance_model_first_token_seconds: {
    help: 'Time until the first token of the language model',
    labels: ['form'],
    roles: all,
    buckets: spoken,
  },
  parlance_model_answer_seconds: {
    help: 'Time until the language model completed its answer',
    labels: ['form'],
    roles: all,
    buckets: spoken,
  },
  parlance_recognition_final_seconds: {
    help: "Time from the end of a caller's voice to the final text",
    labels: [],
    roles: media,
    buckets: spoken,
  },
  parlance_speech_first_audio_seconds: {
    help: 'Time from the first clause of a reply to its first sound',
    labels: [],
    roles: media,
    buckets: spoken,
  },
  parlance_reply_first_sound_seconds: {
    help: "Time from the end of a caller's speech to the agent's first sound",
    labels: [],
    roles: media,
    buckets: spoken,
  },
  parlance_reply_overhead_seconds: {
    help: "Time from the decision that a caller has finished to the agent's first sound, without the time of model and voice",
    labels: [],
    roles: media,
    buckets: quick,
  },
  parlance_interruption_seconds: {
    help: "Time from a caller's first sound to the interruption of the agent",
    labels: [],
    roles: media,
    buckets: quick,
  },
  parlance_carrier_command_seconds: {
    help: 'Time of one command or query to the carrier, answered or not',
    labels: ['command'],
    roles: carriers,
    buckets: quick,
  },
  parlance_delivery_attempt_seconds: {
    help: 'Time of one webhook attempt, including its records',
    labels: ['result'],
    roles: worker,
    buckets: quick,
  },
  parlance_media_tick_late_seconds: {
    help: 'Delay of each tick of a media host',
    labels: [],
    roles: media,
    buckets: tick,
  },
} as const satisfies Record<string, Described>;

export const gauges = {
  parlance_build_info: { help: 'The running version; always 1', labels: ['version'], roles: all },
  parlance_http_requests_in_flight: { help: 'Requests in progress', labels: [], roles: api },
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
    help: 'Calls with a seat at this media host',
    labels: ['session_state'],
    roles: media,
  },
  parlance_calls_live: {
    help: 'Calls that have not ended, from MySQL',
    labels: ['live_state'],
    roles: worker,
  },
  parlance_deliveries: {
    help: 'Waiting deliveries and dead letters, from MySQL',
    labels: ['delivery_state'],
    roles: worker,
  },
  parlance_delivery_oldest_seconds: {
    help: 'Age of the oldest waiting delivery; 0 without one',
    labels: [],
    roles: worker,
  },
  parlance_delivery_overdue_seconds: {
    help: 'Time since the most overdue delivery was due for its next attempt; 0 when none is overdue',
    labels: [],
    roles: worker,
  },
  parlance_carrier_events_waiting: {
    help: 'Carrier events not yet delivered to their call, from MySQL',
    labels: [],
    roles: worker,
  },
  parlance_carrier_event_oldest_seconds: {
    help: 'Age of the oldest carrier event not yet delivered to its call; 0 without one',
    labels: [],
    roles: worker,
  },
  parlance_campaigns: {
    help: 'Running campaigns by the reason why they do not dial now (`none`: they dial), from MySQL',
    labels: ['wait_reason'],
    roles: worker,
  },
  parlance_campaign_lines: {
    help: 'Targets of running campaigns with a live call, from MySQL',
    labels: [],
    roles: worker,
  },
  parlance_campaign_overdue_seconds: {
    help: 'Time since the most overdue target was due for another attempt; 0 when none is overdue',
    labels: [],
    roles: worker,
  },
  parlance_campaigns_idle: {
    help: 'Running campaigns that could dial but had no call for a minute; normally 0',
    labels: [],
    roles: worker,
  },
  parlance_campaigns_held: {
    help: 'Automatically paused campaigns by reason',
    labels: ['wait_reason'],
    roles: worker,
  },
  parlance_retention_age_seconds: {
    help: 'Longest time since retention was applied to an organization; 0 when none has a policy',
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
