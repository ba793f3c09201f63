import type { Fingerprint } from '../../providers/secrets/fingerprint.ts';
import type { ServiceContext } from '../context.ts';
import { countContent } from './count.ts';
import type { EraseDeps } from './erase-call.ts';
import { erasePerson, type ErasedPerson } from './erase-person.ts';
import { findPerson } from './find-person.ts';
import type { EraseArguments } from './read-arguments.ts';
import type { Removed } from './removed.ts';

export { readEraseArguments, usage } from './read-arguments.ts';

export interface EraseReport {
  /** `counted`: nothing was changed. `nobody`: no call was found. */
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
  erased: ErasedPerson | null;
  /** The same erasure by calls alone: for every restore of a backup that is older than it. Null where there is none. */
  again: string | null;
  notCovered: readonly string[];
}

/** What no command can reach. */
const notCovered = [
  'backups of MySQL and of Temporal: repeat this after each restore (`again`)',
  'what receivers of webhooks, endpoints of tools and of pre-call fetches were sent',
  'what the providers of models, voices and speech recognition have logged, and what the carrier keeps of its calls',
  'definitions, test values and settings of agents: whoever wrote a person into them removes it there',
] as const;

interface Command {
  ctx: ServiceContext;
  deps: EraseDeps;
  fingerprint: Fingerprint;
  organizationUuid: string;
  asked: Omit<EraseArguments, 'organization'>;
}

/** Finds a person's calls, counts what is kept about them and, when it is meant, erases it. Throws as `findPerson` and `erasePerson` do. */
export async function runErasure({ ctx, deps, fingerprint, organizationUuid, asked }: Command): Promise<EraseReport> {
  const { query, endsLive, isMeant } = asked;
  const { calls, nationalOnly, unknown } = await findPerson({ ctx, input: query });
  const live = calls.filter(({ isOver }) => !isOver);
  const content = await countContent({ ctx, calls });
  const fingerprints = [query.phone, query.customerId].filter((each) => each !== undefined).map((each) => fingerprint(each));
  const erased = isMeant && calls.length > 0 ? await erasePerson({ ctx, deps, input: { calls, endsLive, fingerprints } }) : null;
  const outcome = erased !== null ? 'erased' : calls.length === 0 ? 'nobody' : 'counted';
  const again = calls.length === 0 ? null : `npm run erase:person -- --organization ${organizationUuid} ${calls.map(({ callUuid }) => `--call ${callUuid}`).join(' ')} --yes`;
  return { outcome, calls: calls.map(({ callId }) => callId), live: live.map(({ callId }) => callId), nationalOnly, unknown, content, erased, again, notCovered };
}
