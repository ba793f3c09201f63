/**
 * Why a call of a campaign is not made although it was begun: what was so when its row was leased was not so
 * any more when it was to ring.
 */
export type NotDialed =
  | 'campaign_not_running'
  | 'capped'
  | 'carrier_down'
  | 'dialing_stopped'
  | 'fewer_lines'
  | 'outside_window'
  | 'suppressed';

/** For people; completes «Failed to initiate call: ». */
export const notDialedWords = {
  campaign_not_running: 'the campaign does not run any more',
  capped: 'the number was dialed as often as it may be',
  carrier_down: 'the carrier does not take calls',
  dialing_stopped: 'all dialing was stopped',
  fewer_lines: 'the campaign was given fewer lines',
  outside_window: 'the calling window has closed',
  suppressed: 'the number is on the suppression list',
} as const satisfies Record<NotDialed, string>;
