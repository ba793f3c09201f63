import type { Fingerprint } from '../../../providers/secrets/fingerprint.ts';
import { phoneDigits } from '../../../domain/phone/digits.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { isSuppressed } from '../../contacts/index.ts';
import { countContent } from './count.ts';
import { countContacts, findContacts } from './contacts.ts';
import type { EraseDeps } from './erase-call.ts';
import { erasePerson, type ErasedPerson } from './erase-person.ts';
import { findPerson } from './find-person.ts';
import type { EraseArguments } from './read-arguments.ts';
import { addRemoved, type Removed } from './removed.ts';
import { findInFiles, type PersonInFiles } from './uploaded-files.ts';

export { readEraseArguments, usage } from './read-arguments.ts';

export interface EraseReport {
  /** `counted`: nothing was changed. `nobody`: no call and no contact row was found. */
  outcome: 'counted' | 'erased' | 'nobody';
  /** Ids of the calls found. */
  calls: number[];
  /** Ids of the live calls. */
  live: number[];
  /** The number of calls that were left out because they hold the number without its country code. */
  nationalOnly: number;
  /** Named calls that the organization does not have. */
  unknown: string[];
  /** Rows with content by table, before the erasure. */
  content: Removed;
  /** True if the number of `--phone` is suppressed: only the number is kept, so that no campaign dials it. */
  isSuppressed: boolean;
  /**
   * Directories whose uploaded files contained the person before the erasure, and directories whose files are
   * unreadable.
   */
  inFiles: PersonInFiles;
  erased: ErasedPerson | null;
  /**
   * The command that repeats the erasure by call ids alone, for use after each restore of an older backup.
   * Null if there are no calls.
   */
  again: string | null;
  notCovered: readonly string[];
}

async function isPhoneSuppressed(
  { db, organizationId }: ServiceContext,
  { phone }: EraseArguments['query'],
): Promise<boolean> {
  const digits = phone === undefined ? null : phoneDigits(phone);
  return digits !== null && (await isSuppressed(db.manager, organizationId, digits));
}

/** Copies that no command can reach. */
const notCovered = [
  'backups of MySQL and of Temporal: repeat this after each restore (`again`)',
  'data already sent to webhook receivers, tool endpoints and pre-call fetches',
  'logs of the providers of models, voices and speech recognition, and the records of the carrier',
  "the organization's contact lists outside this service: remove the person there before the next upload",
  'uploads that were never registered as a directory',
  'definitions, test values and settings of agents: remove the person there by hand',
] as const;

interface Command {
  ctx: ServiceContext;
  deps: EraseDeps;
  fingerprint: Fingerprint;
  organizationUuid: string;
  asked: Omit<EraseArguments, 'organization'>;
}

/**
 * Finds a person's calls and counts what is stored about the person. Erases it if the command confirms that.
 * Throws as `findPerson` and `erasePerson` do.
 */
export async function runErasure({
  ctx,
  deps,
  fingerprint,
  organizationUuid,
  asked,
}: Command): Promise<EraseReport> {
  const { query, endsLive, isConfirmed, suppression } = asked;
  const { calls, nationalOnly, unknown } = await findPerson({ ctx, input: query });
  const live = calls.filter(({ isOver }) => !isOver);
  const person = await findContacts(ctx.db.manager, ctx, { query, calls });
  const content = addRemoved(
    await countContent({ ctx, calls }),
    await countContacts(ctx.db.manager, ctx, { person, calls, suppression }),
  );
  const inFiles =
    deps.uploaded === undefined
      ? { found: [], unreadable: [] }
      : await findInFiles({ ctx, deps: deps.uploaded, person });
  const fingerprints = [query.phone, query.customerId]
    .filter((each) => each !== undefined)
    .map((each) => fingerprint(each));
  const isFound =
    calls.length > 0 ||
    inFiles.found.length > 0 ||
    Object.values(content).some((count) => count > 0) ||
    suppression === 'add';
  const erased =
    isConfirmed && isFound
      ? await erasePerson({
          ctx,
          deps,
          input: { calls, person, inFiles, suppression, endsLive, fingerprints },
        })
      : null;
  const outcome = erased !== null ? 'erased' : isFound ? 'counted' : 'nobody';
  const again =
    calls.length === 0
      ? null
      : `npm run erase:person -- --organization ${organizationUuid} ${calls.map(({ callUuid }) => `--call ${callUuid}`).join(' ')} --yes`;
  return {
    outcome,
    calls: calls.map(({ callId }) => callId),
    live: live.map(({ callId }) => callId),
    nationalOnly,
    unknown,
    content,
    isSuppressed: await isPhoneSuppressed(ctx, query),
    inFiles,
    erased,
    again,
    notCovered,
  };
}
