import { queryRows } from '../../../db/rows.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** What `hangUpCampaignCalls` needs to end calls. */
export interface HangUpDeps {
  calls: CallStarter;
}

/** Calls asked to end at a time. */
const atOnce = 20;

/**
 * Ends live calls of campaigns: all of the organization's, or only those that are not answered. Each call is
 * asked to end in order, so that it has its record and its webhooks. Answers how many were asked. Throws
 * UnavailableError when Temporal is unavailable; a repeated request asks the rest.
 */
export async function hangUpCampaignCalls({
  ctx,
  deps: { calls },
  input: { onlyUnanswered },
}: {
  ctx: ServiceContext;
  deps: { calls: Pick<CallStarter, 'cancelCall'> };
  input: { onlyUnanswered: boolean };
}): Promise<number> {
  const uuids = await liveCalls(ctx, onlyUnanswered);
  let asked = 0;
  for (let from = 0; from < uuids.length; from += atOnce) {
    const outcomes = await Promise.all(
      uuids.slice(from, from + atOnce).map((uuid) => calls.cancelCall(uuid)),
    );
    asked += outcomes.filter((outcome) => outcome === 'delivered').length;
  }
  return asked;
}

/** A call that is written but has not begun checks the switch before it dials. */
async function liveCalls({ db, organizationId }: ServiceContext, onlyUnanswered: boolean): Promise<string[]> {
  const unanswered =
    'AND NOT EXISTS (SELECT 1 FROM phone_legs AS leg WHERE leg.call_id = live.id AND leg.answered_at IS NOT NULL)';
  // guarantee: dialing-stop-ends-campaign-calls-only
  const sql = `SELECT live.uuid AS uuid FROM calls AS live WHERE live.organization_id = ? AND live.campaign_id IS NOT NULL AND live.state IN ('pending', 'admitted', 'talking') ${onlyUnanswered ? unanswered : ''}`;
  const rows: { uuid: string }[] = await queryRows(db, { organizationId, sql, values: [organizationId] });
  return rows.map(({ uuid }) => uuid);
}
