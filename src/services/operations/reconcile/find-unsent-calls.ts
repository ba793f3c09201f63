import { In, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows, selectFrom } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { sendableWebhooks } from '../../../domain/graph/model.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ReconcileDeps } from './deps.ts';
import { nextAfterId, ownersOf, pageSize, rethrow, withoutWorkflow } from './internal.ts';

/**
 * A call whose record is complete and whose webhooks were never rendered: its Workflow was ended in between.
 */
export interface UnsentCall extends CallRef {
  callUuid: string;
  organizationUuid: string;
}

export interface UnsentCallPage {
  calls: UnsentCall[];
  /** Row id to go on after; null when this was the last page. */
  nextAfterId: number | null;
}

export interface FindUnsentCallsInput {
  afterId: number;
  /** Calls that ended later are left alone: their Workflow may be about to hand over. */
  graceMs: number;
  /** Calls that ended earlier are not looked at. */
  windowMs: number;
}

/**
 * Looks at one page of the ended calls of all organizations that lack their webhooks, and asks Temporal about
 * each. Changes nothing.
 */
export async function findUnsentCalls({
  deps: { db, clock, executions },
  input,
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'executions'>;
  input: FindUnsentCallsInput;
  signal: AbortSignal;
}): Promise<UnsentCallPage> {
  const now = clock.now().getTime();
  // The link to a call's transcript is made with its record, when it has webhooks, and when somebody reads
  // the call.
  const query = selectFrom(
    acrossOrganizations(db, 'calls of every organization are compared with Temporal'),
    calls,
    { as: 'call' },
  )
    .useIndex('ix_calls_ended')
    .select(['call.id', 'call.uuid', 'call.organizationId', 'call.versionId'])
    .where('call.state = :state AND call.endedAt > :from AND call.endedAt < :before', {
      state: 'ended',
      from: new Date(now - input.windowMs),
      before: new Date(now - input.graceMs),
    })
    .andWhere('call.publicToken IS NOT NULL AND call.variablesErasedAt IS NULL AND call.id > :afterId', {
      afterId: input.afterId,
    });
  const delivered = query
    .subQuery()
    .select('1')
    .from(deliveries, 'delivery')
    .where('delivery.callId = call.id')
    .getQuery();
  const page = await query
    .andWhere(`NOT EXISTS ${delivered}`)
    .orderBy('call.id', 'ASC')
    .limit(pageSize)
    .getMany()
    .catch(rethrow);

  const sending = await sendingVersions(db, page);
  const found = await withoutWorkflow(
    page.filter(({ versionId }) => sending.has(versionId)),
    { signal, stateOf: ({ uuid }) => executions.callState(uuid) },
  );
  const ownerOf = await ownersOf(
    db,
    found.map(({ row }) => row),
  );
  return {
    calls: found.map(({ row: { id, uuid, organizationId } }) => ({
      callId: id,
      callUuid: uuid,
      organizationId,
      organizationUuid: ownerOf(organizationId),
    })),
    nextAfterId: nextAfterId(page),
  };
}

/** Which of the calls' versions have webhooks at all. */
async function sendingVersions(
  db: DataSource,
  page: readonly Pick<CallRow, 'versionId' | 'organizationId'>[],
): Promise<Set<number>> {
  const [ids, organizationIds] = [
    [...new Set(page.map(({ versionId }) => versionId))],
    [...new Set(page.map(({ organizationId }) => organizationId))],
  ];
  const versions = await findRows(
    acrossOrganizations(db, 'calls of every organization are compared with Temporal'),
    agentVersions,
    { id: In(ids), organizationId: In(organizationIds) },
    { select: ['id', 'definition'] },
  ).catch(rethrow);
  return new Set(
    versions.filter(({ definition }) => sendableWebhooks(definition).length > 0).map(({ id }) => id),
  );
}
