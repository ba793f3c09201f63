import { campaignStandings, type CampaignStanding } from '../../../../src/contract/data/campaigns.ts';
import { targetOutcomes } from '../../../../src/domain/campaign/outcome.ts';

/** The list of campaigns in its URL. */
export interface CampaignsSearch {
  q?: string | undefined;
  state?: CampaignStanding | undefined;
}

export function campaignsSearch({ q, state }: Record<string, unknown>): CampaignsSearch {
  const known = campaignStandings.find((each) => each === state);
  return {
    // The router reads `q=42` as a number.
    ...((typeof q === 'string' && q.trim() !== '') || typeof q === 'number' ? { q: String(q).trim() } : {}),
    ...(known === undefined ? {} : { state: known }),
  };
}

export const rowStates = ['queued', 'processing', 'processed', 'failed'] as const;
export const rowReasons = [
  'outside_window',
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
  'window_never_opens',
  'recently_called',
  'campaign_failed',
] as const;

export type RowOutcome = (typeof targetOutcomes)[number];

/** The control room in its URL: the filter of its rows, and the row that is open. */
export interface CampaignSearch {
  state?: (typeof rowStates)[number] | undefined;
  reason?: (typeof rowReasons)[number] | undefined;
  outcome?: RowOutcome | undefined;
  /** The first digits of a number. */
  number?: string | undefined;
  row?: number | undefined;
}

export function campaignSearch({
  state,
  reason,
  outcome,
  number: digits,
  row,
}: Record<string, unknown>): CampaignSearch {
  const knownState = rowStates.find((each) => each === state);
  const knownReason = rowReasons.find((each) => each === reason);
  const knownOutcome = targetOutcomes.find((each) => each === outcome);
  const number = Number(row);
  return {
    ...(knownState === undefined ? {} : { state: knownState }),
    ...(knownReason === undefined ? {} : { reason: knownReason }),
    ...(knownOutcome === undefined ? {} : { outcome: knownOutcome }),
    // The router reads `number=42` as a number.
    ...((typeof digits === 'string' || typeof digits === 'number') && /\d/.test(String(digits))
      ? { number: String(digits) }
      : {}),
    ...(Number.isInteger(number) && number > 0 ? { row: number } : {}),
  };
}

/** What a new campaign begins with. */
export interface NewCampaignSearch {
  directory?: number | undefined;
  agent?: number | undefined;
}

export function newCampaignSearch({ directory, agent }: Record<string, unknown>): NewCampaignSearch {
  const [fileId, agentId] = [Number(directory), Number(agent)];
  return {
    ...(Number.isInteger(fileId) && fileId > 0 ? { directory: fileId } : {}),
    ...(Number.isInteger(agentId) && agentId > 0 ? { agent: agentId } : {}),
  };
}
