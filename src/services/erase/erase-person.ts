import { inTransaction } from '../../db/transaction.ts';
import { PreconditionError } from '../../domain/errors.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { eraseCall, type EraseDeps, type ErasedCall } from './erase-call.ts';
import type { FoundCall } from './find-person.ts';
import { addRemoved } from './removed.ts';

export interface ErasePersonInput {
  /** From `findPerson`. */
  calls: readonly FoundCall[];
  /** Calls that go on are ended; nothing is sent of them. */
  endsLive: boolean;
  /** Keyed hashes of what the person was looked for by, for the audit. */
  fingerprints: readonly string[];
}

export interface ErasedPerson extends ErasedCall {
  calls: number;
}

/**
 * Erases everything that is kept about the calls of a person, one call after another. That it was asked for is on record before
 * anything is removed; killed in the middle and asked again it finishes. No name and no number is in the audit.
 *
 * Throws PreconditionError, and erases nothing, when a call goes on and `endsLive` is false; UnavailableError.
 */
export async function erasePerson({ ctx, deps, input }: { ctx: ServiceContext; deps: EraseDeps; input: ErasePersonInput }): Promise<ErasedPerson> {
  const { calls, endsLive, fingerprints } = input;
  const live = calls.filter(({ isOver }) => !isOver).map(({ callId }) => callId);
  if (live.length > 0 && !endsLive) throw new PreconditionError(`These calls go on: ${live.join(', ')}. Wait for their end, or end them with the erasure`);
  const callIds = calls.map(({ callId }) => callId);
  await record(ctx, 'person.erase_requested', { calls: callIds, fingerprints });

  let erased: ErasedCall = { removed: {}, ended: 0, forgotten: 0 };
  for (const call of calls) {
    const { removed, ended, forgotten } = await eraseCall({ ctx, deps, call });
    erased = { removed: addRemoved(erased.removed, removed), ended: erased.ended + ended, forgotten: erased.forgotten + forgotten };
    ctx.log.info({ callId: call.callId, organizationId: ctx.organizationId, ...removed }, 'Call erased');
  }
  await record(ctx, 'person.erased', { calls: callIds, fingerprints, ...erased });
  return { calls: calls.length, ...erased };
}

async function record(ctx: ServiceContext, action: string, changes: Record<string, unknown>): Promise<void> {
  await inTransaction(ctx.db, (tx) => appendAudit(tx, ctx, { action, subjectKind: 'person', subjectId: null, changes }));
}
