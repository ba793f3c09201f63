const name = 'Name of the campaign.';
const connection = 'Id of the connection that makes the calls. Null means the default one at each dial.';
const waits = {
  stop_mode: 'How the campaign is being stopped or was stopped. Null if it was not.',
  wait_reason: 'Why the campaign dials nothing now (docs/campaigns.md). Null if it dials or was not started.',
  wait_until: 'When the wait ends by itself. Null if it does not or if that is unknown.',
};
const progressOfRows = {
  processed_rows: 'Rows that are finished.',
  total_rows: 'Rows of the file. Null until the file has been read.',
};
const dates = {
  started_at: 'When the campaign was started. Null if not yet.',
  completed_at: 'When the last row was finished. Null if not yet.',
};
const settings = {
  retry_config: 'When contacts who were not reached are called again.',
  max_concurrency: 'Maximum number of concurrent calls. Null means the limit of the organization.',
  schedule_config: 'Hours in which the campaign dials. Null means any hour.',
  circuit_breaker: 'When the campaign pauses because calls fail.',
  rules: 'Further rules. Null if there are none.',
};
const retry = {
  enabled: 'Whether there are further attempts.',
  max_retries: 'Maximum number of further attempts.',
  retry_delay_seconds: 'Seconds before each further attempt.',
  retry_on_busy: 'Whether to call again after a busy line.',
  retry_on_no_answer: 'Whether to call again after no answer.',
  retry_on_voicemail: 'Whether to call again after an answering machine.',
};
const schedule = {
  enabled: 'Whether the hours apply.',
  timezone: 'IANA name of the time zone of the hours.',
  slots: 'Time slots of the week.',
  'slots.day_of_week': 'Day of the week. 0 is Monday.',
  'slots.start_time': 'Start of the slot as `HH:MM`.',
  'slots.end_time': 'End of the slot as `HH:MM`, exclusive. `24:00` is the end of the day.',
};
const breaker = {
  enabled: 'Whether the circuit breaker is on.',
  failure_threshold: 'Share of failed calls at which the campaign pauses, from 0 to 1.',
  window_seconds: 'Length of the window in seconds. Calls that ended within it count.',
  min_calls_in_window: 'Minimum number of calls in the window. With fewer calls the campaign does not pause.',
};
const under = (prefix: string, words: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(words).map(([key, text]) => [`${prefix}.${key}`, text]));
const shownSettings = {
  ...settings,
  ...under('retry_config', retry),
  ...under('schedule_config', schedule),
  ...under('circuit_breaker', breaker),
};
const row = {
  row: 'Number of the row. Row 1 is the first below the header.',
  phone_number: 'Digits with country code, without a plus sign. Null if none.',
  state: 'State of the row. A row that is `left_out` is never called.',
  reason:
    'Why the row waits, was left out or is no longer called. Null if the row is next in line or its outcome is the reason.',
  due_at: 'When the wait ends. Null if unknown.',
  spent_attempts: 'Attempts that the retry plan counts.',
  attempts: 'Number of dials of this row.',
  outcome: 'Outcome of the last call. Null if there was none.',
  workflow_run_id: 'Id of the last call. Null if there was none.',
  settled_at:
    'When the last call ended, or when the row was finished without a call. Null if neither happened.',
};

/** Descriptions of the fields of campaigns, by schema and path, as in `field-words.ts`. */
export const campaignWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CreateCampaignRequest: { name, telephony_configuration_id: connection, ...settings },
  UpdateCampaignRequest: { name, ...settings },
  RedialCampaignRequest: {
    name,
    retry_on_voicemail: 'Whether to call contacts whose answering machine answered.',
    retry_on_no_answer: 'Whether to call contacts who did not answer.',
    retry_on_busy: 'Whether to call contacts whose line was busy.',
    retry_config: settings.retry_config,
    outcomes:
      'Outcomes of the last call, or `canceled` by a stop. Contacts with one of these outcomes are called; the three `retry_on_…` fields are then ignored.',
  },
  RetryConfig: retry,
  ScheduleConfig: schedule,
  CircuitBreaker: breaker,
  Campaign: {
    name,
    workflow_name: 'Name of the agent.',
    state:
      '`created`, `syncing` (the first rows are being read), `running`, `paused`, `completed` or `failed`.',
    source_type: 'Always `csv`.',
    source_id: 'Storage key of the file.',
    ...progressOfRows,
    failed_rows: 'Rows that failed.',
    ...dates,
    ...shownSettings,
    executed_count: 'Rows that are finished.',
    total_queued_count: 'Rows that the campaign calls or has called.',
    parent_campaign_id: 'Id of the campaign that this one redials. Null if none.',
    redialed_campaign_id: 'Id of the campaign that redials this one. Null if none.',
    telephony_configuration_id: connection,
    telephony_configuration_name: 'Name of the connection. Null if the campaign names none.',
    logs: 'Log entries, oldest first.',
    'logs.ts': 'When the entry was written.',
    'logs.level': 'Severity of the entry.',
    'logs.event': 'Stable machine-readable word.',
    'logs.message': 'Explanation for people.',
    'logs.details': 'Values that belong to the entry.',
    'logs.by': 'Name of the user or API key that did it. Null for the service, and if it is not known.',
    directory_id: 'Id of the directory of the file.',
    directory_name: 'Name of the directory.',
    ...waits,
    temporal_workflow_id: 'Workflow Id of the campaign in Temporal.',
  },
  CampaignList: {
    campaigns: 'Campaigns, newest first.',
    'standing_counts.running': 'Those that run, also until they have stopped.',
    'standing_counts.paused': 'Those that are paused, by a person or by themselves.',
    'standing_counts.created': 'Those that have not begun.',
    'standing_counts.completed': 'Those that have called everybody.',
    'standing_counts.stopped': 'Those that were stopped.',
    'standing_counts.failed': 'Those that failed.',
  },
  CampaignProgress: {
    campaign_id: 'Id of the campaign.',
    state: 'State of the campaign.',
    ...progressOfRows,
    failed_calls: 'Rows that failed.',
    progress_percentage:
      'Percentage of the called rows that are finished, to one decimal. Rows that are left out do not count.',
    source_sync: 'Progress of reading the file.',
    'source_sync.status': 'State of reading. `completed` means that all rows are in the campaign.',
    'source_sync.last_synced_at': 'When reading was completed. Null if not yet.',
    'source_sync.error': 'Why the file could not be read. Null if there was no error.',
    rate_limit: 'Maximum number of dials per second.',
    ...dates,
    rows: 'Number of rows by state.',
    'rows.queued': 'Rows that were not called yet.',
    'rows.waiting': 'Rows that wait for a further attempt.',
    'rows.processing': 'Rows in a call.',
    'rows.processed': 'Rows that are finished.',
    'rows.failed': 'Rows that failed.',
    'rows.left_out': 'Rows that are never called. 0 until all rows have been read.',
    outcomes: 'Number of finished rows by the outcome of their last call.',
    reasons:
      'Waiting rows by the reason that each shows in `/rows`. Rows whose turn is yet to come have no reason.',
    'reasons.rows': 'Number of rows that wait for this reason.',
    'reasons.next_at': 'When the first of them may be called. Null if that is unknown.',
    closed_zones:
      'Rows that wait because it is outside the calling hours (`outside_window`), by the time zones whose hours they follow, most rows first.',
    'closed_zones.time_zones': 'IANA names of the time zones in all of which the hours must be open.',
    'closed_zones.rows': 'Number of rows.',
    'closed_zones.opens_at': 'When the hours open for the first of them. Null if that is unknown.',
    dials_last_minute: 'Number of dials of the last 60 seconds.',
    ...waits,
    estimated_completion_at:
      "Estimated end of the campaign, from the pace of the last ten minutes of dialing and the hours in the campaign's time zone. Null while the campaign does not run or too few calls have ended.",
  },
  EstimateCampaignRequest: {
    telephony_configuration_id: connection,
    workflow_id: 'Id of the agent, whose latest calls are the measure. Null means usual calls.',
    max_concurrency: settings.max_concurrency,
    schedule_config: settings.schedule_config,
    rules: settings.rules,
  },
  CampaignEstimate: {
    rows: 'Rows that will be called. Null if the file was not checked.',
    suppressed: 'Rows that are not among them because their number was blocked after the check.',
    recently_called:
      'Rows that are not among them because another campaign has called their number (`skip_recently_called`).',
    never_called: 'Rows among them whose hours never open. They have no part in the estimate.',
    begins_at: 'When the first call may begin. Null if there is none.',
    all_called_at: 'When everybody was called once. Null if that cannot be said.',
    earliest_at:
      'The earliest such time within the 95 % interval of the answered share. Null if that cannot be said.',
    latest_at:
      'The latest such time within the 95 % interval of the answered share. Null if that cannot be said.',
    dialing_seconds: 'Seconds of dialing until then, without the time in which all hours are closed.',
    unknown_because: 'Why `all_called_at` is null. Null if it is not.',
    lines: 'Concurrent calls that the estimate counts on.',
    lines_limited_by:
      'What limits the lines: `max_concurrency`, the phone numbers, the limit of the organization without its reserve, or other campaigns that want lines.',
    starts_per_second: 'Maximum number of dials per second.',
    zones: 'Rows by the time zones of their contacts, most rows first.',
    'zones.time_zones':
      'IANA names. Several if the contacts may be in any of them: hours must then be open in all.',
    'zones.rows': 'Number of rows.',
    'zones.is_open': 'Whether the hours are open now.',
    'zones.opens_at': 'When they open next. Null if they are open or never open.',
    'zones.closes_at': 'When they close next. Null if they are closed or never close.',
    'zones.all_called_at': 'When everybody in these zones was called once. Null if that cannot be said.',
    assumptions: 'What the estimate takes calls to be like.',
    'assumptions.answered_share': 'Share of the dials that are answered, from 0 to 1.',
    'assumptions.answered_seconds': 'Mean seconds of an answered call, from the dial to its end.',
    'assumptions.unanswered_seconds': 'Mean seconds of a call that is not answered.',
    'assumptions.calls': "Number of the agent's calls that this was measured from. 0 means usual values.",
  },
  CampaignActivity: {
    bucket_seconds: 'Seconds of an interval.',
    buckets:
      'Intervals without gaps, oldest first. The last one has the latest call. Empty if no call ended.',
    'buckets.from': 'Start of the interval.',
    'buckets.calls': 'Calls that ended in it. Attempts that certainly rang nobody do not count.',
    'buckets.reached': 'Calls among them in which a person was spoken to.',
    dialing: 'When all dialing of the organization was stopped and resumed during these intervals.',
    'dialing.at': 'When it was.',
    'dialing.is_stopped': 'Whether it was stopped; false if it was resumed.',
    'dialing.by': 'Name of the user or API key that did it. Null for the service.',
  },
  CampaignRunPage: { runs: 'Calls in the requested order.' },
  SourceDownload: { download_url: 'Link to the file.' },
  CampaignDefaults: {
    concurrent_call_limit: 'Maximum number of concurrent calls of the organization.',
    from_numbers_count: 'Number of active phone numbers of the default connection.',
    default_retry_config: '`retry_config` of a campaign that was created without one.',
    ...under('default_retry_config', retry),
    last_campaign_settings: 'Settings of the newest campaign. Null if there is none.',
    ...under('last_campaign_settings', shownSettings),
  },
  CampaignRowState: row,
  CampaignRowPage: {
    rows: 'Rows in the order of the file.',
    next_after: 'Value of `after` for the next page. Null on the last page.',
  },
  CampaignRowHistory: {
    ...row,
    identifier: 'Value of `ext_customer_id`. Null if none.',
    values: 'Cells by column.',
    findings: 'Errors and warnings about the row.',
    'findings.code': 'Stable machine-readable word.',
    'findings.level': '`error` excludes the row from the campaign. `warning` does not.',
    'findings.column': 'Name of the column. Null for the whole row.',
    'findings.message': 'What is wrong.',
    'findings.suggestion': 'How to correct it.',
    history: 'Every attempt, oldest first.',
    'history.attempt': 'Number of the attempt, from 1.',
    'history.workflow_run_id': 'Id of the call.',
    'history.workflow_run_name': 'Name of the call.',
    'history.because': 'Outcome that led to this call. Null for the first call.',
    'history.begun_at': 'When the row was claimed.',
    'history.outcome': 'Outcome of the call. Null while the call is live.',
    'history.is_spent': 'Whether the retry plan counts the attempt. Null while the call is live.',
    'history.settled_at': 'When the call ended. Null while it is live.',
    'history.disposition': 'How the call ended. Null while it is live.',
    'history.call_duration_seconds':
      'Seconds from the opening to the end of the call. Null while it is live.',
  },
};
