import type { DataSource, EntityManager } from 'typeorm';
import { existsRow } from '../../../db/rows.ts';
import { auditEvents } from '../../../db/tables/audit-events.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Logger } from '../../../runtime/logger.ts';
import { appendAudit, type CallRef, write } from '../../kernel/index.ts';
import { eraseEndedCall, type EraseCallDeps } from './erase-ended-call.ts';

/** What the erasure of a call in the background needs. */
export interface ErasureDeps extends EraseCallDeps {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
}

export interface RequestedCall extends CallRef {
  callUuid: string;
}

const action = 'call.erased';

/**
 * Erases an ended call, and records it once nothing is left. A repeated run erases the rest; after the record
 * it does nothing. Throws as `eraseEndedCall` does.
 */
export async function eraseRequestedCall({
  deps,
  input: { callUuid, ...ref },
}: {
  deps: ErasureDeps;
  input: RequestedCall;
}): Promise<void> {
  const { db, clock, ids, log } = deps;
  const { callId, organizationId } = ref;
  if (await isErased(db.manager, ref)) return;
  const ctx = { db, clock, ids, organizationId, actor: { kind: 'system', name: 'erasure' } } as const;
  const { removed, ended, forgotten } = await eraseEndedCall({ ctx, deps, call: { callId, callUuid } });
  await write(ctx, (tx) =>
    appendAudit(tx, {
      action,
      subjectKind: 'call',
      subjectId: callId,
      changes: { removed, ended, forgotten },
    }),
  );
  log.info({ ...ref, ...removed }, 'Call erased');
}

/** True if the call was erased as a whole, on request. Retention leaves more, so it does not count. */
export async function isErased(
  manager: EntityManager,
  { callId, organizationId }: CallRef,
): Promise<boolean> {
  return await existsRow(manager, auditEvents, {
    organizationId,
    subjectKind: 'call',
    subjectKey: String(callId),
    action,
  });
}
