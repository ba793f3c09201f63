import { rowWait, type WaitingCampaign } from './row-wait.ts';
import type { WaitReason } from './wait-reason.ts';

/** Which rows of a campaign show a reason now: those that match any of these. */
export interface WaitingFor {
  /** Every row that has not ended and is not in a call. */
  all: boolean;
  /** Rows that are due later and have this reason of their own. */
  laterWith: WaitReason | null;
  /** Rows in these zones that are due. */
  dueInZones: readonly string[];
  /** Ended rows with this reason. */
  overWith: WaitReason | null;
  /** Rows in a call whose dial the carrier does not report on. */
  inDoubt: boolean;
}

/**
 * The reverse of `rowWait`: which rows show this reason. `zoneKeys` are all zone keys of the campaign's rows;
 * `zonesOf` names their zones.
 */
export function waitingFor(
  reason: WaitReason,
  {
    campaign,
    zoneKeys,
    zonesOf,
    now,
  }: {
    campaign: WaitingCampaign;
    zoneKeys: readonly string[];
    zonesOf: (zoneKey: string) => readonly string[];
    now: Date;
  },
): WaitingFor {
  const over = { overWith: reason, inDoubt: reason === 'line_in_doubt' };
  const later = {
    state: 'waiting' as const,
    dueAt: new Date(now.getTime() + 1),
    waitReason: reason,
    zones: [],
    isInDoubt: false,
  };
  const due = (zoneKey: string) => ({ ...later, dueAt: null, waitReason: null, zones: zonesOf(zoneKey) });
  // A held campaign shows the same reason for all of its rows, whatever reasons of their own they have.
  const isHeld = campaign.stopMode !== null || campaign.state === 'paused' || campaign.state === 'failed';
  if (isHeld)
    return {
      all: rowWait(due(''), campaign, now).reason === reason,
      laterWith: null,
      dueInZones: [],
      ...over,
    };
  return {
    all: false,
    laterWith: reason,
    // guarantee: row-filter-matches-shown-reasons
    dueInZones: zoneKeys.filter((zoneKey) => rowWait(due(zoneKey), campaign, now).reason === reason),
    ...over,
  };
}
