import { In, IsNull, Not, type EntityManager } from 'typeorm';
import { deleteRows, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { carrierEvents } from '../../../db/tables/carrier-events.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { extractions } from '../../../db/tables/extractions.ts';
import { toolRuns } from '../../../db/tables/tool-runs.ts';
import { tagsWithoutWords } from '../../../domain/call/without-words.ts';
import { withoutResults } from '../../../domain/qa/judging.ts';
import type { LockedCall } from './lock-call.ts';
import { forgetAnswers } from './remove-transcript.ts';
import type { Removed } from './removed.ts';

/**
 * Removes the values of a call, in the caller's transaction: initial and gathered variables, annotations, its
 * name, extracted values, results of tools, bodies of webhooks and the receivers' answers, and stored answers for repeated
 * requests. Disposition, usage and timestamps stay. A repeated run finds nothing. No delivery may be pending.
 */
export async function removeVariables(
  tx: EntityManager,
  { call, deliveries: sent }: LockedCall,
  at: Date,
): Promise<Removed> {
  const { id, organizationId } = call;
  const change = {
    name: erasedName(id),
    callerNumber: null,
    calledNumber: null,
    initialContext: {},
    gatheredContext: {},
    annotations: {},
    judging: withoutResults(call.judging),
    logs: withoutNumbers(call.logs),
    tags: tagsWithoutWords(call, call.disposition),
    variablesErasedAt: call.variablesErasedAt ?? at,
  };
  const full = sent.filter(({ erasedAt }) => erasedAt === null).map((each) => each.id);
  return {
    tool_runs: await deleteRows(tx, toolRuns, { callId: id, organizationId }),
    extractions: await deleteRows(tx, extractions, { callId: id, organizationId }),
    idempotency_keys: await forgetAnswers(tx, { callId: id, organizationId }),
    deliveries:
      full.length === 0
        ? 0
        : await updateRows(tx, deliveries, {
            where: { id: In(full), organizationId },
            change: { body: null, erasedAt: at },
          }),
    delivery_attempts:
      full.length === 0
        ? 0
        : await updateRows(tx, deliveryAttempts, {
            where: { deliveryId: In(full), organizationId },
            change: { responseExcerpt: null },
          }),
    carrier_events: await updateRows(tx, carrierEvents, {
      where: { callId: id, organizationId, raw: Not(IsNull()) },
      change: { raw: null },
    }),
    calls: await updateRows(tx, calls, { where: { id, organizationId }, change }),
  };
}

/**
 * Removes the carrier's messages from the logs, because they contain the caller's and the callee's number.
 */
function withoutNumbers({
  telephony_status_callbacks: _,
  inbound_webhook: __,
  ...logs
}: CallRow['logs']): CallRow['logs'] {
  return logs;
}

/** Replaces the call's name, which the customer wrote. */
const erasedName = (callId: number): string => `WR-${callId}`;
