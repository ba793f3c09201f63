import { rowWait, type WaitingCampaign } from './row-wait.ts';
import type { WaitReason } from './wait-reason.ts';

/** Which rows of a campaign show a reason now; any of these. */
export interface WaitingFor {
  /** Every row that is not over and not in a call. */
  all: boolean;
  /** Rows that are due later, with this reason of their own. */
  laterWith: WaitReason | null;
  /** Rows whose turn it could be, in these zones. */
  dueInZones: readonly string[];
  /** Rows that are over, with this reason. */
  overWith: WaitReason | null;
  /** Rows in a call whose carrier does not say what became of the dial. */
  inDoubt: boolean;
}

/**
 * What `rowWait` shows for single rows, asked the other way round: which rows show this reason. `zoneKeys`:
 * all that rows of the campaign have; `zonesOf` names their zones.
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
  // One that is held shows the same for all of its rows, whatever they have of their own.
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
    // guarantee: filter-rows-finds-exactly
    dueInZones: zoneKeys.filter((zoneKey) => rowWait(due(zoneKey), campaign, now).reason === reason),
    ...over,
  };
}
