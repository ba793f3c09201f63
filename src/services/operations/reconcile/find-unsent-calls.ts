import { In, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows, selectFrom } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { sendableWebhooks } from '../../../domain/graph/model.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ReconcileDeps } from './deps.ts';
import { nextAfterId, ownersOf, pageSize, rethrow, withoutWorkflow, type Page } from './internal.ts';

/** A call with a complete record and no rendered webhooks, because its Workflow was ended in between. */
export interface UnsentCall extends CallRef {
  callUuid: string;
  organizationUuid: string;
}

export interface FindUnsentCallsInput {
  afterId: number;
  /** Skips calls that ended more recently, because their Workflow may be about to render the webhooks. */
  graceMs: number;
  /** Skips calls that ended longer ago. */
  windowMs: number;
}

/**
 * Reads one page of the ended calls of all organizations that lack their webhooks, and asks Temporal about
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
}): Promise<Page<UnsentCall>> {
  const now = clock.now().getTime();
  // A call with webhooks gets the public token of its transcript link with its record. Most calls without
  // webhooks have none.
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
    items: found.map(({ row: { id, uuid, organizationId } }) => ({
      callId: id,
      callUuid: uuid,
      organizationId,
      organizationUuid: ownerOf(organizationId),
    })),
    nextAfterId: nextAfterId(page),
  };
}

/** The ids of the calls' versions that have webhooks. */
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
