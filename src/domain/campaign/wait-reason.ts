/**
 * Why a row or a whole campaign is not dialed now. People see these words; docs/campaigns.md explains each.
 */
export const waitReasons = [
  'outside_window',
  'window_never_opens',
  'retry',
  'callback',
  'capped',
  'daily_limit',
  'lines_busy',
  'no_line',
  'pace',
  'no_number',
  'carrier_down',
  'no_media_host',
  'paused',
  'stopped',
  'breaker',
  'rows_are_read',
  'line_in_doubt',
  'campaign_failed',
  'recently_called',
] as const;

export type WaitReason = (typeof waitReasons)[number];
