import { PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { removeContacts, type FoundContacts } from './contacts.ts';
import { eraseCall, type EraseDeps, type ErasedCall } from './erase-call.ts';
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
  /** What becomes of the number on the list of suppressed ones. */
  suppression: EraseArguments['suppression'];
  /** Calls that go on are ended; nothing is sent of them. */
  endsLive: boolean;
  /** Keyed hashes of what the person was looked for by, for the audit. */
  fingerprints: readonly string[];
}

export interface ErasedPerson extends ErasedCall {
  calls: number;
  /** Rows of uploaded files that were emptied. */
  rowsInFiles: number;
}

/**
 * Erases everything that is kept about a person: rows of uploaded files, of contacts and places in campaigns,
 * then calls, one after another. That it was asked for is on record before anything is removed; killed in the
 * middle and asked again it finishes. No name and no number is in the audit.
 *
 * Throws PreconditionError, and erases nothing, when a call goes on and `endsLive` is false, or a file of
 * theirs is being checked; UnavailableError.
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
      `These calls go on: ${live.join(', ')}. Wait for their end, or end them with the erasure`,
    );
  await requireUnread(ctx, inFiles);
  const callIds = calls.map(({ callId }) => callId);
  await record(ctx, 'person.erase_requested', { calls: callIds, fingerprints });

  // Files first: what is read from them anew would bring the rows back.
  const rowsInFiles =
    deps.uploaded === undefined
      ? 0
      : await eraseFromFiles({ ctx, deps: deps.uploaded, person, where: inFiles });
  // Before the calls, so that nothing new is dialed; and after them, because one that went on may have come
  // back to its campaign.
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
