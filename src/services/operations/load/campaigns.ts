import type { DataSource } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../../db/rows.ts';
import { waitReasons, type WaitReason } from '../../../domain/campaign/wait-reason.ts';

/** Why running campaigns do not dial; `none` if they do. */
export const shownWaits = ['none', ...waitReasons] as const;

/** Why campaigns pause automatically. */
export const heldWaits = ['breaker', 'window_never_opens'] as const satisfies readonly WaitReason[];

export interface CampaignLoad {
  /** Running campaigns, by the reason why they do not dial now. */
  campaigns: Readonly<Record<(typeof shownWaits)[number], number>>;
  /** Targets of running campaigns that are in a call. */
  lines: number;
  /** How long ago the most overdue target should have been dialed again. */
  overdueSeconds: number;
  /**
   * Running campaigns that should dial and do not: they have targets to dial and no reason to wait, and had
   * no call for a minute.
   */
  idle: number;
  /** Automatically paused campaigns, by reason: a person has to look at them. */
  held: Readonly<Record<(typeof heldWaits)[number], number>>;
}

const idleMs = 60_000;

const idleSql = `
  SELECT COUNT(*) AS idle FROM campaigns
  WHERE state = 'running' AND (started_at IS NULL OR started_at < ?) AND (wait_reason IS NULL OR wait_until < ?)
    AND (EXISTS (SELECT 1 FROM campaign_targets WHERE campaign_id = campaigns.id AND state = 'queued')
      OR EXISTS (SELECT 1 FROM campaign_targets WHERE campaign_id = campaigns.id AND state = 'waiting' AND due_at < ?))
    AND NOT EXISTS (SELECT 1 FROM campaign_targets WHERE campaign_id = campaigns.id AND state = 'processing')
    AND NOT EXISTS (SELECT 1 FROM campaign_attempts WHERE campaign_id = campaigns.id AND settled_at >= ?)`;

/** Counts and an age of all organizations' campaigns, read from indexes and independent of the rows. */
export async function readCampaigns(db: DataSource, now: Date): Promise<CampaignLoad> {
  const waits: { reason: string | null; running: string | number }[] = await queryRows(
    acrossOrganizations(db, 'the operator watches the load of all organizations, as counts and ages alone'),
    {
      sql: "SELECT wait_reason AS reason, COUNT(*) AS running FROM campaigns WHERE state = 'running' GROUP BY wait_reason",
    },
  );
  const [rows]: { talking: string | number | null; overdue_us: string | number | null }[] = await queryRows(
    acrossOrganizations(db, 'the operator watches the load of all organizations, as counts and ages alone'),
    {
      sql: `SELECT SUM((SELECT COUNT(*) FROM campaign_targets WHERE campaign_id = campaigns.id AND state = 'processing')) AS talking,
            MAX((SELECT TIMESTAMPDIFF(MICROSECOND, MIN(due_at), ?) FROM campaign_targets WHERE campaign_id = campaigns.id AND state = 'waiting')) AS overdue_us
     FROM campaigns WHERE state = 'running' AND (wait_reason IS NULL OR wait_reason <> 'stopped')`,
      values: [now],
    },
  );
  const since = new Date(now.getTime() - idleMs);
  const [stuck]: { idle: string | number }[] = await queryRows(
    acrossOrganizations(db, 'the operator watches the load of all organizations, as counts and ages alone'),
    { sql: idleSql, values: [since, since, since, since] },
  );
  const paused: { reason: string; paused: string | number }[] = await queryRows(
    acrossOrganizations(db, 'the operator watches the load of all organizations, as counts and ages alone'),
    {
      sql: "SELECT wait_reason AS reason, COUNT(*) AS paused FROM campaigns WHERE state = 'paused' AND wait_reason IN ('breaker', 'window_never_opens') GROUP BY wait_reason",
    },
  );
  const heldBy = (reason: string) => Number(paused.find((each) => each.reason === reason)?.paused ?? 0);
  const counts = new Map(waits.map(({ reason, running }) => [reason ?? 'none', Number(running)]));
  const running = Object.fromEntries(shownWaits.map((each) => [each, counts.get(each) ?? 0]));
  const campaigns = running as CampaignLoad['campaigns']; // oxlint-disable-line typescript/no-unsafe-type-assertion -- one entry for each
  return {
    campaigns,
    lines: Number(rows?.talking ?? 0),
    overdueSeconds: Math.max(0, Number(rows?.overdue_us ?? 0) / 1_000_000),
    idle: Number(stuck?.idle ?? 0),
    held: { breaker: heldBy('breaker'), window_never_opens: heldBy('window_never_opens') },
  };
}
