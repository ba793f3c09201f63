/**
 * Why a call of a campaign was not dialed although it was started: the conditions changed between the claim
 * of its row and the dial.
 */
export type NotDialed =
  | 'campaign_not_running'
  | 'capped'
  | 'carrier_down'
  | 'daily_limit'
  | 'dialing_stopped'
  | 'fewer_lines'
  | 'not_allowed'
  | 'outside_window'
  | 'suppressed';

/** For people; completes “Failed to initiate call: ”. */
export const notDialedWords = {
  campaign_not_running: 'the campaign is no longer running',
  capped: 'the number has reached its cap',
  carrier_down: 'the carrier does not take calls',
  daily_limit: 'a daily limit of the organization is reached',
  dialing_stopped: 'all dialing was stopped',
  fewer_lines: 'the campaign was given fewer lines',
  not_allowed: 'the dial policy of the organization does not allow the number',
  outside_window: 'the calling window has closed',
  suppressed: 'the number is on the suppression list',
} as const satisfies Record<NotDialed, string>;
