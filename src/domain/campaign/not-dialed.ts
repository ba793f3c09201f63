/**
 * Why a call of a campaign was not dialed although it was started: the conditions changed between the claim
 * of its row and the dial.
 */
export type NotDialed =
  | 'campaign_not_running'
  | 'capped'
  | 'carrier_down'
  | 'dialing_stopped'
  | 'fewer_lines'
  | 'outside_window'
  | 'suppressed';

/** For people; completes “Failed to initiate call: ”. */
export const notDialedWords = {
  campaign_not_running: 'the campaign is no longer running',
  capped: 'the number has reached its cap',
  carrier_down: 'the carrier does not take calls',
  dialing_stopped: 'all dialing was stopped',
  fewer_lines: 'the campaign was given fewer lines',
  outside_window: 'the calling window has closed',
  suppressed: 'the number is on the suppression list',
} as const satisfies Record<NotDialed, string>;
