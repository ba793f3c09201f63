import type { CampaignState } from './state.ts';
import type { WaitReason } from './wait-reason.ts';
import { windowAt, type CallingWindow } from './windows.ts';

/** What is known of a row that is not over. */
export interface WaitingRow {
  state: 'queued' | 'waiting';
  /** Null = from now on. */
  dueAt: Date | null;
  /** Its own; null = none. */
  waitReason: string | null;
  zones: readonly string[];
}

export interface WaitingCampaign {
  state: CampaignState;
  stopMode: 'finish' | 'hang_up' | null;
  waitReason: string | null;
  waitUntil: Date | null;
  window: CallingWindow;
}

/** Why a row is not called now, and until when; no reason = its turn comes, or nobody has started the campaign. */
export function rowWait(row: WaitingRow, campaign: WaitingCampaign, now: Date): { reason: string | null; until: Date | null } {
  if (campaign.stopMode !== null) return because('stopped');
  if (campaign.state === 'paused') return because(campaign.waitReason === 'breaker' ? 'breaker' : 'paused');
  if (row.dueAt !== null && row.dueAt > now) return { reason: row.waitReason ?? 'retry', until: row.dueAt };
  if (campaign.state !== 'running' && campaign.state !== 'syncing') return { reason: null, until: null };
  const window = windowAt(campaign.window, { zones: row.zones, at: now });
  if (!window.isOpen) return { reason: window.opensAt === null ? 'window_never_opens' : 'outside_window', until: window.opensAt };
  return { reason: campaign.waitReason, until: campaign.waitUntil };
}

const because = (reason: WaitReason) => ({ reason, until: null });
