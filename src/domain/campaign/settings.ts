/** Contract 11.5, as given. Missing values have the defaults of its table. */
export interface PublishedRetry {
  enabled?: boolean | undefined;
  max_retries?: number | undefined;
  retry_delay_seconds?: number | undefined;
  retry_on_busy?: boolean | undefined;
  retry_on_no_answer?: boolean | undefined;
  retry_on_voicemail?: boolean | undefined;
}

export interface PublishedSchedule {
  enabled?: boolean | undefined;
  timezone?: string | undefined;
  slots: { day_of_week: number; start_time: string; end_time: string }[];
}

export interface PublishedBreaker {
  enabled?: boolean | undefined;
  failure_threshold?: number | undefined;
  window_seconds?: number | undefined;
  min_calls_in_window?: number | undefined;
}

/** The settings of a campaign as the client sent them. */
export interface CampaignSettings {
  retry_config: PublishedRetry | null;
  max_concurrency: number | null;
  schedule_config: PublishedSchedule | null;
  circuit_breaker: PublishedBreaker | null;
  /** Our rules in addition; null = the campaign follows contract 11.5 alone. */
  rules: CampaignRulesInput | null;
}

/** Our own rules. Each replaces the published field of the same meaning. */
export interface CampaignRulesInput {
  /** The zone of the schedule's hours; default `campaign`. */
  window_zone?: 'campaign' | 'contact' | undefined;
  /** By outcome; missing rules have the defaults of docs/campaigns.md. */
  retry_plan?:
    | Partial<
        Record<
          string,
          {
            waits_seconds: number[];
            max_retries: number;
            next_day?: boolean | undefined;
            other_part_of_day?: boolean | undefined;
          }
        >
      >
    | undefined;
  max_attempts?: number | undefined;
  caps?:
    | {
        per_hour?: number | null | undefined;
        per_day?: number | null | undefined;
        per_week?: number | null | undefined;
      }
    | undefined;
  starts_per_second?: number | undefined;
  ramp?: { lines: number; each_minute: number } | undefined;
  weight?: number | undefined;
  from_phone_number_ids?: number[] | undefined;
  start_order?: 'file' | 'priority' | 'latest_first' | 'closing_window' | undefined;
  agent_version?: 'published' | 'pinned' | undefined;
  skip_recently_called?: number | undefined;
  opt_out_tool?: boolean | undefined;
}
