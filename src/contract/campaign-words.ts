const name = 'As people call it.';
const connection = 'Connection that calls are made with; null = the default one at each dial.';
const waits = {
  stop_mode: 'How it is being stopped, or was; null = it is not.',
  wait_reason: 'Why nothing is dialed now (docs/campaigns.md); null = something is, or it was not begun.',
  wait_until: 'When that ends by itself; null = it does not, or nobody knows.',
};
const progressOfRows = {
  processed_rows: 'Rows for which all is done.',
  total_rows: 'Rows of the file; null before it is read.',
};
const dates = {
  started_at: 'When it was started; null = not yet.',
  completed_at: 'When its last row was over; null = not yet.',
};
const settings = {
  retry_config: 'When somebody who was not reached is called again.',
  max_concurrency: 'Most calls at once; null = as many as the organization may have.',
  schedule_config: 'Hours in which it dials; null = at any hour.',
  circuit_breaker: 'When it pauses by itself.',
  rules: 'What it follows beside the published fields; null = those alone.',
};
const retry = {
  enabled: 'Whether anybody is called again.',
  max_retries: 'Further attempts at most.',
  retry_delay_seconds: 'How long before each.',
  retry_on_busy: 'Whether after a busy line.',
  retry_on_no_answer: 'Whether after nobody answered.',
  retry_on_voicemail: 'Whether after a machine answered.',
};
const schedule = {
  enabled: 'Whether the hours count.',
  timezone: 'IANA name of the zone that the hours are in.',
  slots: 'Stretches of the week.',
  'slots.day_of_week': '0 = Monday.',
  'slots.start_time': 'First minute, `HH:MM`.',
  'slots.end_time': 'First minute after it, `HH:MM`; `24:00` = the end of the day.',
};
const breaker = {
  enabled: 'Whether it is looked at.',
  failure_threshold: 'Share of failed calls, 0 to 1, at which the campaign pauses.',
  window_seconds: 'Calls that ended within so many seconds count.',
  min_calls_in_window: 'Fewer calls than this say nothing.',
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
  row: 'Number of the row: 1 for the first below the header.',
  phone_number: 'Digits with country code, no plus; null where there is none.',
  state: '`left_out`: nobody is called for it.',
  reason:
    'Why it waits, is left out or is not called any more; null = its turn comes, or its outcome says it.',
  due_at: 'When the wait is over; null = nobody knows.',
  spent_attempts: 'Attempts that the retry plan counts.',
  attempts: 'Number of dials of this row.',
  outcome: 'What the last call came to; null = there was none.',
  workflow_run_id: 'Id of the last call; null = there was none.',
  settled_at: 'When the last call was over, or the row without one; null = neither.',
};

/** What the fields of campaigns mean, by schema and path (as in `field-words.ts`). */
export const campaignWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CreateCampaignRequest: { name, telephony_configuration_id: connection, ...settings },
  UpdateCampaignRequest: { name, ...settings },
  RedialCampaignRequest: {
    name,
    retry_on_voicemail: 'Those whose machine answered.',
    retry_on_no_answer: 'Those who did not answer.',
    retry_on_busy: 'Those whose line was busy.',
    retry_config: settings.retry_config,
    outcomes:
      'Those whose last call came to one of these, or whom a stop has canceled; the three reasons do not count then.',
  },
  RetryConfig: retry,
  ScheduleConfig: schedule,
  CircuitBreaker: breaker,
  Campaign: {
    name,
    workflow_name: 'Name of the agent.',
    state: '`created`, `syncing` (the first rows are read), `running`, `paused`, `completed` or `failed`.',
    source_type: 'Always `csv`.',
    source_id: 'Key of its file.',
    ...progressOfRows,
    failed_rows: 'Rows that came to nothing.',
    ...dates,
    ...shownSettings,
    executed_count: 'Rows that are over.',
    total_queued_count: 'Rows that are, or were, to be called.',
    parent_campaign_id: 'Campaign that it redials; null = none.',
    redialed_campaign_id: 'Campaign that redials it; null = none.',
    telephony_configuration_id: connection,
    telephony_configuration_name: 'Name of the connection; null = none is named.',
    logs: 'What happened to it, oldest first.',
    'logs.ts': 'When.',
    'logs.level': 'How grave it is.',
    'logs.event': 'Stable word.',
    'logs.message': 'In words, for people.',
    'logs.details': 'Numbers and words that belong to it.',
    directory_id: 'Directory of its file.',
    ...waits,
    temporal_workflow_id: 'Workflow Id of its pacer in Temporal.',
  },
  CampaignList: { campaigns: 'Newest first.' },
  CampaignProgress: {
    campaign_id: 'Id of the campaign.',
    state: 'As the campaign has it.',
    ...progressOfRows,
    failed_calls: 'Rows that came to nothing.',
    progress_percentage: 'Share of the rows of the file that are over or left out, to one decimal.',
    source_sync: 'How far the file is read.',
    'source_sync.status': '`completed` when every row has its place.',
    'source_sync.last_synced_at': 'When that was; null = not yet.',
    'source_sync.error': 'Why it could not be read; null = it could.',
    rate_limit: 'Most dials that are begun in a second.',
    ...dates,
    rows: 'Rows by where they stand.',
    'rows.queued': 'Not called yet.',
    'rows.waiting': 'To be called again.',
    'rows.processing': 'In a call.',
    'rows.processed': 'All is done.',
    'rows.failed': 'They came to nothing.',
    'rows.left_out': 'Nobody is called for them; 0 until all rows are read.',
    outcomes: 'Rows that are over, by what their last call came to.',
    ...waits,
    estimated_completion_at:
      "When it will be over, at the pace of the last ten minutes of dialing and within the hours by the campaign's clock; null while it does not run, or too little has ended.",
  },
  CampaignRunPage: { runs: 'The calls.' },
  SourceDownload: { download_url: 'The link.' },
  CampaignDefaults: {
    concurrent_call_limit: 'Calls that the organization may have at once.',
    from_numbers_count: 'Active numbers of the default connection.',
    default_retry_config: 'What a campaign without a `retry_config` has.',
    ...under('default_retry_config', retry),
    last_campaign_settings: 'Of the campaign that was made last; null = there is none.',
    ...under('last_campaign_settings', shownSettings),
  },
  CampaignRowState: row,
  CampaignRowPage: {
    rows: 'In the order of the file.',
    next_after: 'What `after` of the next page is; null = there is none.',
  },
  CampaignRowHistory: {
    ...row,
    identifier: 'What becomes `ext_customer_id`; null = none.',
    values: 'The cells by their columns.',
    findings: 'What is wrong with the row, or worth a look.',
    'findings.code': 'Stable word.',
    'findings.level': 'Errors leave a row out.',
    'findings.column': 'Where; null = the whole row.',
    'findings.message': 'In words, for people.',
    'findings.suggestion': 'What would mend it.',
    history: 'Every attempt, oldest first.',
    'history.attempt': 'Its number, from 1.',
    'history.workflow_run_id': 'Id of the call.',
    'history.workflow_run_name': 'Name of the call.',
    'history.because': 'The outcome that led to it; null for the first.',
    'history.begun_at': 'When it was leased.',
    'history.outcome': 'What it came to; null while it goes on.',
    'history.is_spent': 'Whether the retry plan counts it; null while it goes on.',
    'history.settled_at': 'When it was over; null while it goes on.',
    'history.disposition': 'How the call ended; null while it goes on.',
    'history.call_duration_seconds': 'From the opening to the end; null while it goes on.',
  },
};
