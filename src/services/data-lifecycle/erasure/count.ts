import { In, IsNull, Not } from 'typeorm';
import { callSummaries } from '../../../db/tables/call-summaries.ts';
import { callRecordings } from '../../../db/tables/call-recordings.ts';
import { carrierEvents } from '../../../db/tables/carrier-events.ts';
import { journalEntries } from '../../../db/tables/journal-entries.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { failedTurns } from '../../../db/tables/failed-turns.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { toolRuns } from '../../../db/tables/tool-runs.ts';
import { turns } from '../../../db/tables/turns.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { FoundCall } from './find-person.ts';
import { addRemoved, type Removed } from './removed.ts';

const pageSize = 200;

/** What an erasure of these calls would touch, by table; changes nothing. */
export async function countContent({
  ctx,
  calls: found,
}: {
  ctx: ServiceContext;
  calls: readonly FoundCall[];
}): Promise<Removed> {
  let sums: Removed = {};
  for (let from = 0; from < found.length; from += pageSize) {
    const page = found.slice(from, from + pageSize).map(({ callId }) => callId);
    sums = addRemoved(sums, await countPage(ctx, page).catch(rethrow));
  }
  return sums;
}

async function countPage({ db, organizationId }: ServiceContext, callIds: number[]): Promise<Removed> {
  const ofCalls = { organizationId, callId: In(callIds) };
  const sent = await db
    .getRepository(deliveries)
    .find({ select: { id: true }, where: { ...ofCalls, erasedAt: IsNull() } });
  return {
    turns: await db.getRepository(turns).countBy(ofCalls),
    failed_turns: await db.getRepository(failedTurns).countBy(ofCalls),
    call_summaries: await db.getRepository(callSummaries).countBy(ofCalls),
    journal_entries: await db.getRepository(journalEntries).countBy(ofCalls),
    carrier_events: await db.getRepository(carrierEvents).countBy({ ...ofCalls, raw: Not(IsNull()) }),
    phone_legs: await db.getRepository(phoneLegs).countBy({ ...ofCalls, callControlId: Not(IsNull()) }),
    call_recordings:
      (await db.getRepository(callRecordings).countBy(ofCalls)) +
      (await db.getRepository(calls).countBy({ organizationId, id: In(callIds), recordedAt: Not(IsNull()) })),
    tool_runs: await db.getRepository(toolRuns).countBy(ofCalls),
    text_sessions: await db.getRepository(textSessions).countBy(ofCalls),
    calls: await db.getRepository(calls).countBy({ organizationId, id: In(callIds) }),
    deliveries: sent.length,
    delivery_attempts: await db
      .getRepository(deliveryAttempts)
      .countBy({ organizationId, deliveryId: In(sent.map(({ id }) => id)) }),
    idempotency_keys: await db
      .getRepository(idempotencyKeys)
      .countBy({ organizationId, subjectKind: 'call', subjectId: In(callIds) }),
  };
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
