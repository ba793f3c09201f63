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
  /** `counted`: nothing was changed. `nobody`: no call and no row of a contact file was found. */
  outcome: 'counted' | 'erased' | 'nobody';
  /** Ids. */
  calls: number[];
  /** Ids of calls that go on. */
  live: number[];
  /** Calls that hold the number without its country and were left out (`--national`). */
  nationalOnly: number;
  /** Calls that were named and that the organization does not have. */
  unknown: string[];
  /** Rows with content by table, before. */
  content: Removed;
  /** The number of `--phone` is kept, alone, so that no campaign dials it. */
  isSuppressed: boolean;
  /**
   * Directories whose uploaded files have the person in them, before; and those whose files nobody can read
   * any more.
   */
  inFiles: PersonInFiles;
  erased: ErasedPerson | null;
  /**
   * The same erasure by calls alone: for every restore of a backup that is older than it. Null where there is
   * none.
   */
  again: string | null;
  notCovered: readonly string[];
}

async function isKept(
  { db, organizationId }: ServiceContext,
  { phone }: EraseArguments['query'],
): Promise<boolean> {
  const digits = phone === undefined ? null : phoneDigits(phone);
  return digits !== null && (await isSuppressed(db.manager, organizationId, digits));
}

/** What no command can reach. */
const notCovered = [
  'backups of MySQL and of Temporal: repeat this after each restore (`again`)',
  'what receivers of webhooks, endpoints of tools and of pre-call fetches were sent',
  'what the providers of models, voices and speech recognition have logged, and what the carrier keeps of its calls',
  'contact lists of the organization outside of this service: whoever has them removes the person there, before they are uploaded again',
  'uploads that were never registered as a directory',
  'definitions, test values and settings of agents: whoever wrote a person into them removes it there',
] as const;

interface Command {
  ctx: ServiceContext;
  deps: EraseDeps;
  fingerprint: Fingerprint;
  organizationUuid: string;
  asked: Omit<EraseArguments, 'organization'>;
}

/**
 * Finds a person's calls, counts what is kept about them and, when it is meant, erases it. Throws as
 * `findPerson` and `erasePerson` do.
 */
export async function runErasure({
  ctx,
  deps,
  fingerprint,
  organizationUuid,
  asked,
}: Command): Promise<EraseReport> {
  const { query, endsLive, isMeant, suppression } = asked;
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
  const isAnybody =
    calls.length > 0 ||
    inFiles.found.length > 0 ||
    Object.values(content).some((count) => count > 0) ||
    suppression === 'add';
  const erased =
    isMeant && isAnybody
      ? await erasePerson({
          ctx,
          deps,
          input: { calls, person, inFiles, suppression, endsLive, fingerprints },
        })
      : null;
  const outcome = erased !== null ? 'erased' : isAnybody ? 'counted' : 'nobody';
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
    isSuppressed: await isKept(ctx, query),
    inFiles,
    erased,
    again,
    notCovered,
  };
}
