import type { DataSource } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';
import { assumedCalls, minMeasuredCalls, type UsualCalls } from '../../../domain/campaign/estimate.ts';

/** Maximum number of calls to measure, the latest ones. */
const maxMeasured = 500;
/** Maximum number of calls to look at, because many may be web or incoming calls. */
const maxLookedAt = 5000;

const seconds = 'TIMESTAMPDIFF(MICROSECOND, started_at, ended_at) / 1000000';
const sql = `SELECT COUNT(*) AS calls, SUM(answered_at IS NOT NULL) AS answered,
    AVG(CASE WHEN answered_at IS NOT NULL THEN ${seconds} END) AS answered_seconds,
    AVG(CASE WHEN answered_at IS NULL THEN ${seconds} END) AS unanswered_seconds
  FROM (
    SELECT started_at, answered_at, ended_at FROM (
      SELECT channel, direction, is_test, state, started_at, answered_at, ended_at, created_at FROM calls
      WHERE organization_id = ? AND agent_id = ? ORDER BY created_at DESC LIMIT ${maxLookedAt}
    ) AS latest
    WHERE channel = 'phone' AND direction = 'outbound' AND is_test = 0 AND state = 'ended' AND started_at IS NOT NULL
    ORDER BY created_at DESC LIMIT ${maxMeasured}
  ) AS measured`;

type Figure = string | number | null;

/** What the latest outgoing phone calls of an agent were like; without enough of them, what is usual. */
export async function readUsualCalls(
  db: DataSource,
  { organizationId, agentId }: { organizationId: number; agentId: number | null },
): Promise<UsualCalls> {
  if (agentId === null) return assumedCalls;
  const [row]: { calls: Figure; answered: Figure; answered_seconds: Figure; unanswered_seconds: Figure }[] =
    await queryRows(db, { organizationId, sql, values: [organizationId, agentId] });
  const calls = Number(row?.calls ?? 0);
  if (row === undefined || calls < minMeasuredCalls) return assumedCalls;
  return {
    answeredShare: Number(row.answered) / calls,
    answeredSeconds: Number(row.answered_seconds ?? assumedCalls.answeredSeconds),
    unansweredSeconds: Number(row.unanswered_seconds ?? assumedCalls.unansweredSeconds),
    calls,
  };
}
