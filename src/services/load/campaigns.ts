import type { DataSource } from 'typeorm';
import { waitReasons } from '../../domain/campaign/wait-reason.ts';

/** Why running campaigns dial nobody; `none` = they do. */
export const shownWaits = ['none', ...waitReasons] as const;

export interface CampaignLoad {
  /** Running ones, by why they dial nobody now. */
  campaigns: Readonly<Record<(typeof shownWaits)[number], number>>;
  /** Their rows that are in a call. */
  lines: number;
  /** Since the moment at which the most overdue row should have been dialed again. */
  overdueSeconds: number;
}

/** Campaigns of everybody that run, as counts and an age alone: by indexes, whatever their number of rows. */
export async function readCampaigns(db: DataSource, now: Date): Promise<CampaignLoad> {
  const waits: { reason: string | null; running: string | number }[] = await db.query("SELECT wait_reason AS reason, COUNT(*) AS running FROM campaigns WHERE state = 'running' GROUP BY wait_reason");
  const [rows]: { talking: string | number | null; overdue_us: string | number | null }[] = await db.query(
    `SELECT SUM((SELECT COUNT(*) FROM campaign_targets WHERE campaign_id = campaigns.id AND state = 'processing')) AS talking,
            MAX((SELECT TIMESTAMPDIFF(MICROSECOND, MIN(due_at), ?) FROM campaign_targets WHERE campaign_id = campaigns.id AND state = 'waiting')) AS overdue_us
     FROM campaigns WHERE state = 'running' AND (wait_reason IS NULL OR wait_reason <> 'stopped')`,
    [now],
  );
  const counts = new Map(waits.map(({ reason, running }) => [reason ?? 'none', Number(running)]));
  const campaigns = Object.fromEntries(shownWaits.map((each) => [each, counts.get(each) ?? 0])) as CampaignLoad['campaigns']; // oxlint-disable-line typescript/no-unsafe-type-assertion -- one entry for each
  return { campaigns, lines: Number(rows?.talking ?? 0), overdueSeconds: Math.max(0, Number(rows?.overdue_us ?? 0) / 1_000_000) };
}
