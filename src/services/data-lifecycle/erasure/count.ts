import { In, IsNull, Not } from 'typeorm';
import { countRows, findRows } from '../../../db/rows.ts';
import { callSummaries } from '../../../db/tables/call-summaries.ts';
import { callRecordings } from '../../../db/tables/call-recordings.ts';
import { carrierEvents } from '../../../db/tables/carrier-events.ts';
import { journalEntries } from '../../../db/tables/journal-entries.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { extractions } from '../../../db/tables/extractions.ts';
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

/** Counts the rows that an erasure of these calls would touch, by table; changes nothing. */
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
  const sent = await findRows(db, deliveries, { ...ofCalls, erasedAt: IsNull() }, { select: ['id'] });
  return {
    turns: await countRows(db, turns, ofCalls),
    failed_turns: await countRows(db, failedTurns, ofCalls),
    call_summaries: await countRows(db, callSummaries, ofCalls),
    journal_entries: await countRows(db, journalEntries, ofCalls),
    carrier_events: await countRows(db, carrierEvents, { ...ofCalls, raw: Not(IsNull()) }),
    phone_legs: await countRows(db, phoneLegs, { ...ofCalls, callControlId: Not(IsNull()) }),
    call_recordings:
      (await countRows(db, callRecordings, ofCalls)) +
      (await countRows(db, calls, { organizationId, id: In(callIds), recordedAt: Not(IsNull()) })),
    tool_runs: await countRows(db, toolRuns, ofCalls),
    extractions: await countRows(db, extractions, ofCalls),
    text_sessions: await countRows(db, textSessions, ofCalls),
    calls: await countRows(db, calls, { organizationId, id: In(callIds) }),
    deliveries: sent.length,
    delivery_attempts: await countRows(db, deliveryAttempts, {
      organizationId,
      deliveryId: In(sent.map(({ id }) => id)),
    }),
    idempotency_keys: await countRows(db, idempotencyKeys, {
      organizationId,
      subjectKind: 'call',
      subjectId: In(callIds),
    }),
  };
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
