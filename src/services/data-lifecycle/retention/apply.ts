import {
  In,
  IsNull,
  LessThan,
  MoreThan,
  type DataSource,
  type EntityManager,
  type FindOptionsWhere,
} from 'typeorm';
import {
  acrossOrganizations,
  findRows,
  selectFrom,
  updateRows,
  type Db,
  type NarrowedQuery,
} from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { retentionPolicies, type RetentionPolicyRow } from '../../../db/tables/retention-policies.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { namespace } from '../../../domain/declaration.ts';
import { callWorkflowId } from '../../../domain/temporal-ids.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Histories } from '../../../temporal/histories-port.ts';
import { removeRecordingFiles, type RecordingStore } from '../../calls/index.ts';
import { addRemoved, type Removed } from '../erasure/removed.ts';
import { isOver, lockCall } from '../erasure/lock-call.ts';
import { removeRecording } from '../erasure/remove-recording.ts';
import { removeTranscript } from '../erasure/remove-transcript.ts';
import { removeVariables } from '../erasure/remove-variables.ts';
import type { UnusedFileStore } from './remove-unused-files.ts';
import type { RetentionAges } from './set-policy.ts';

/** What retention needs. */
export interface RetentionDeps {
  db: DataSource;
  clock: Clock;
  log: Logger;
  histories: Histories;
  /** Storage of recordings and contact files; absent if the installation has none. */
  files?: (RecordingStore & UnusedFileStore) | undefined;
}

export interface RetentionPage {
  organizationId: number;
  /** Removals from calls: the transcript and the values of one call count separately. */
  calls: number;
  removed: Removed;
  /** True if nothing of the organization exceeds its retention age. */
  isDone: boolean;
}

const dayMs = 86_400_000;
const pageSize = 50;
const nothing: Removed = {};

type Due = Pick<CallRow, 'id' | 'uuid' | 'endedAt'>;

/** The kinds of content with a retention age, and how each is found and removed. */
export const contents = [
  {
    kind: 'transcripts',
    days: ({ transcriptDays }: RetentionAges) => transcriptDays,
    since: 'endedAt',
    kept: { transcriptErasedAt: IsNull() },
    waitsForDeliveries: false,
    remove: removeTranscript,
  },
  {
    kind: 'recordings',
    days: ({ recordingDays }: RetentionAges) => recordingDays,
    since: 'recordedAt',
    kept: {},
    waitsForDeliveries: false,
    hasFiles: true,
    remove: removeRecording,
  },
  // A recording that was never joined is found by its pieces.
  {
    kind: 'recordings',
    days: ({ recordingDays }: RetentionAges) => recordingDays,
    since: 'endedAt',
    kept: {},
    having:
      'call.id IN (SELECT piece.call_id FROM call_recordings piece WHERE piece.organization_id = call.organization_id)',
    waitsForDeliveries: false,
    hasFiles: true,
    remove: removeRecording,
  },
  {
    kind: 'variables',
    days: ({ variableDays }: RetentionAges) => variableDays,
    since: 'endedAt',
    kept: { variablesErasedAt: IsNull() },
    waitsForDeliveries: true,
    remove: removeVariables,
  },
] as const satisfies readonly Content[];

export interface Content {
  kind: 'transcripts' | 'recordings' | 'variables';
  days: (policy: RetentionAges) => number | null;
  /** The timestamp from which its age counts. */
  since: 'endedAt' | 'recordedAt';
  kept: FindOptionsWhere<CallRow>;
  /** A further condition, in SQL. */
  having?: string;
  /** True if pending webhooks still need it. */
  waitsForDeliveries: boolean;
  /**
   * True if it has files, too. They are removed before and after the rows, so that a file that is stored
   * meanwhile is removed as well.
   */
  hasFiles?: boolean;
  remove: typeof removeTranscript;
}

/**
 * Removes one page of content that exceeds its retention age, in the next organization after
 * `afterOrganizationId`. Each call has its own transaction. Also deletes the histories of calls that Temporal
 * may still have. Null if no further organization has a policy. A repeated run continues. Throws
 * UnavailableError, and the reason of `signal`.
 */
export async function applyRetention({
  deps,
  input,
  signal,
}: {
  deps: RetentionDeps;
  input: { afterOrganizationId: number };
  signal: AbortSignal;
}): Promise<RetentionPage | null> {
  const [policy] = await findRows(
    acrossOrganizations(deps.db, 'retention covers the policies of all organizations'),
    retentionPolicies,
    { organizationId: MoreThan(input.afterOrganizationId) },
    { order: { organizationId: 'ASC' }, take: 1 },
  ).catch(rethrow);
  if (policy === undefined) return null;
  let [removed, count, isDone] = [nothing, 0, true];
  for (const content of contents) {
    const due = await findDue(deps, policy, content);
    isDone &&= due.length < pageSize;
    for (const call of due) {
      signal.throwIfAborted();
      removed = addRemoved(removed, await removeOf(deps, policy, content, call));
      count += 1;
    }
  }
  if (isDone)
    await inTransaction(deps.db, (tx) =>
      updateRows(tx, retentionPolicies, {
        where: { organizationId: policy.organizationId },
        change: { appliedAt: deps.clock.now() },
      }),
    );
  if (count > 0)
    deps.log.info(
      { organizationId: policy.organizationId, calls: count, ...removed },
      'Retention removed content that exceeded its age',
    );
  return { organizationId: policy.organizationId, calls: count, removed, isDone };
}

async function findDue(deps: RetentionDeps, policy: RetentionPolicyRow, content: Content): Promise<Due[]> {
  const query = dueCalls(deps, policy, content)?.select(['call.id', 'call.uuid', 'call.endedAt']);
  return (
    (await query?.orderBy(`call.${content.since}`, 'ASC').limit(pageSize).getMany().catch(rethrow)) ?? []
  );
}

/** The calls whose content exceeds its age, with the alias `call`. Null if the policy keeps it forever. */
export function dueCalls(
  { db, clock }: { db: Db; clock: Clock },
  policy: RetentionAges & { organizationId: number },
  { days, since, kept, having, waitsForDeliveries }: Content,
): NarrowedQuery<CallRow> | null {
  const age = days(policy);
  if (age === null) return null;
  const before = LessThan(new Date(clock.now().getTime() - age * dayMs));
  const query = selectFrom(db, calls, { as: 'call', organizationId: policy.organizationId }).andWhere({
    state: In(['ended', 'refused']),
    [since]: before,
    ...kept,
  });
  // guarantee: unjoined-recording-expires
  if (having !== undefined) query.andWhere(having);
  if (waitsForDeliveries)
    query.andWhere(
      "NOT EXISTS (SELECT 1 FROM deliveries delivery WHERE delivery.call_id = call.id AND delivery.state = 'pending')",
    );
  return query;
}

async function removeOf(
  { db, clock, histories, files }: RetentionDeps,
  { organizationId }: RetentionPolicyRow,
  { remove, waitsForDeliveries, hasFiles = false }: Content,
  call: Due,
): Promise<Removed> {
  // Temporal's own retention has already deleted the histories of older calls.
  const isRemembered =
    (call.endedAt?.getTime() ?? 0) > clock.now().getTime() - (namespace.retentionDays + 1) * dayMs;
  if (isRemembered && !hasFiles) await histories.forget(callWorkflowId(call.uuid));
  if (hasFiles && files !== undefined) await removeRecordingFiles({ files, callId: call.id });
  const removed = await inTransaction(db, async (tx: EntityManager) => {
    const locked = await lockCall(tx, { callId: call.id, organizationId });
    // A delivery that was sent again by hand meanwhile: a later run removes the call's content.
    const waits = waitsForDeliveries && locked?.deliveries.some(({ state }) => state === 'pending');
    return locked === null || !isOver(locked.call) || waits === true
      ? nothing
      : await remove(tx, locked, clock.now());
  });
  if (hasFiles && files !== undefined) await removeRecordingFiles({ files, callId: call.id });
  return removed;
}

function rethrow(error: unknown): never {
  throw translateUnavailable(error);
}
