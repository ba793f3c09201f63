import type { CampaignState } from './state.ts';
import type { WaitReason } from './wait-reason.ts';
import { windowAt, type CallingWindow } from './windows.ts';

/** What is known of a row. */
export interface WaitingRow {
  state: 'queued' | 'waiting' | 'processing' | 'processed' | 'failed';
  /** Null = now. */
  dueAt: Date | null;
  /** The row's own reason; null = none. */
  waitReason: string | null;
  zones: readonly string[];
  /** The call was dialed, and the carrier does not report the result. */
  isInDoubt: boolean;
}

export interface WaitingCampaign {
  state: CampaignState;
  stopMode: 'finish' | 'hang_up' | null;
  waitReason: string | null;
  waitUntil: Date | null;
  window: CallingWindow;
}

/**
 * Why a row is not called now, and until when. Without a reason, its turn is yet to come, or the campaign has
 * not been started. A failed row may have a reason, too.
 */
export function rowWait(
  row: WaitingRow,
  campaign: WaitingCampaign,
  now: Date,
): { reason: string | null; until: Date | null } {
  if (row.state === 'processing') return { reason: row.isInDoubt ? 'line_in_doubt' : null, until: null };
  if (row.state === 'processed' || row.state === 'failed') return { reason: row.waitReason, until: null };
  if (campaign.state === 'failed') return because('campaign_failed');
  if (campaign.stopMode !== null) return because('stopped');
  if (campaign.state === 'paused') return because(campaign.waitReason === 'breaker' ? 'breaker' : 'paused');
  // guarantee: waiting-row-shows-reason-and-time
  if (row.dueAt !== null && row.dueAt > now) return { reason: row.waitReason ?? 'retry', until: row.dueAt };
  if (campaign.state !== 'running' && campaign.state !== 'syncing') return { reason: null, until: null };
  const window = windowAt(campaign.window, { zones: row.zones, at: now });
  if (!window.isOpen)
    return {
      reason: window.opensAt === null ? 'window_never_opens' : 'outside_window',
      until: window.opensAt,
    };
  return { reason: campaign.waitReason, until: campaign.waitUntil };
}

const because = (reason: WaitReason) => ({ reason, until: null });
