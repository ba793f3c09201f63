import { PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { removeContacts, type FoundContacts } from './contacts.ts';
import { eraseCall, type EraseDeps } from './erase-call.ts';
import type { ErasedCall } from './erase-ended-call.ts';
import type { FoundCall } from './find-person.ts';
import type { EraseArguments } from './read-arguments.ts';
import { addRemoved } from './removed.ts';
import { eraseFromFiles, requireUnread, type PersonInFiles } from './uploaded-files.ts';

export interface ErasePersonInput {
  /** From `findPerson`. */
  calls: readonly FoundCall[];
  /** From `findContacts`. */
  person: FoundContacts;
  /** From `findInFiles`. */
  inFiles: PersonInFiles;
  /** What to do with the suppression of the number. */
  suppression: EraseArguments['suppression'];
  /** Ends live calls, without webhooks. */
  endsLive: boolean;
  /** Keyed hashes of the number and the customer id, for the audit log. */
  fingerprints: readonly string[];
}

export interface ErasedPerson extends ErasedCall {
  calls: number;
  /** Rows of uploaded files that were emptied. */
  rowsInFiles: number;
}

/**
 * Erases everything stored about a person: rows of uploaded files, contacts and targets, then calls, one
 * after another. Audits the request before it removes anything; if interrupted, a repeated run finishes it.
 * The audit contains neither name nor number.
 *
 * Throws PreconditionError, and erases nothing, if a call is live and `endsLive` is false, or if a file with
 * the person is being checked; UnavailableError.
 */
export async function erasePerson({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: EraseDeps;
  input: ErasePersonInput;
}): Promise<ErasedPerson> {
  const { calls, person, inFiles, suppression, endsLive, fingerprints } = input;
  const live = calls.filter(({ isOver }) => !isOver).map(({ callId }) => callId);
  if (live.length > 0 && !endsLive)
    throw new PreconditionError(
      `These calls are live: ${live.join(', ')}. Wait until they end, or let the erasure end them`,
    );
  await requireUnread(ctx, inFiles);
  const callIds = calls.map(({ callId }) => callId);
  await record(ctx, 'person.erase_requested', { calls: callIds, fingerprints });

  // Files first: a new import of an unchanged file would restore the rows.
  const rowsInFiles =
    deps.uploaded === undefined
      ? 0
      : await eraseFromFiles({ ctx, deps: deps.uploaded, person, where: inFiles });
  // Before the calls, so that no new call is dialed; and after them, because an ended call may have put its
  // target back into the campaign.
  const forget = () => write(ctx, (tx) => removeContacts(tx, ctx, { person, calls, suppression }));
  let erased: ErasedCall = { removed: await forget(), ended: 0, forgotten: 0 };
  for (const call of calls) {
    const { removed, ended, forgotten } = await eraseCall({ ctx, deps, call });
    erased = {
      removed: addRemoved(erased.removed, removed),
      ended: erased.ended + ended,
      forgotten: erased.forgotten + forgotten,
    };
    ctx.log.info({ callId: call.callId, organizationId: ctx.organizationId, ...removed }, 'Call erased');
  }
  erased = { ...erased, removed: addRemoved(erased.removed, await forget()) };
  await record(ctx, 'person.erased', {
    calls: callIds,
    fingerprints,
    rowsInFiles,
    ...erased,
    ...(suppression === 'keep' ? {} : { suppression }),
  });
  return { calls: calls.length, rowsInFiles, ...erased };
}

async function record(ctx: ServiceContext, action: string, changes: Record<string, unknown>): Promise<void> {
  await write(ctx, (tx) => appendAudit(tx, { action, subjectKind: 'person', subjectId: null, changes }));
}
