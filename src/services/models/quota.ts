import { getRow, type Db } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { readAgentSettings } from '../../domain/agents/settings.ts';
import type { Clock } from '../../runtime/clock.ts';
import { Recent } from '../../runtime/recent.ts';
import { readToday, type Today } from '../identity/index.ts';
import type { ServiceContext } from '../kernel/index.ts';
import {
  dayLimitError,
  findDayLimit,
  usualModelQuotas,
  type DayLimitReached,
  type ModelQuotas,
} from './day-limit.ts';

/** How many requests may be left when an organization counts as far from its quota: more than it makes in `farForMs`. */
const farAt = 1000;
const farForMs = 1000;

/** Organizations that were far from their quota of requests in the last second. */
export type FarFromQuota = Recent<true>;

export const createFarFromQuota = (clock: Clock): FarFromQuota => new Recent(clock, { forMs: farForMs });

interface Conversation {
  /** Replaces the usual quotas. */
  quotas: ModelQuotas | undefined;
  /** Spares the question for organizations that are far from it; absent = each one is asked about. */
  far?: FarFromQuota | undefined;
  versionId: number;
  isSpoken: boolean;
}

type Context = Pick<ServiceContext, 'organizationId' | 'secrets' | 'clock'>;

/**
 * Throws LimitError (429) when an organization without own keys has used up a quota of the installation's
 * models today (docs/models.md).
 */
export async function requireQuota(db: Db, ctx: Context, conversation: Conversation): Promise<void> {
  const { organizationId, clock } = ctx;
  const { quotas = usualModelQuotas, far } = conversation;
  const check = async (): Promise<true | null> => {
    const today = await readToday({ db, organizationId, now: clock.now() });
    const reached = await findUsedUpQuota(db, ctx, { ...conversation, today });
    if (reached !== null) throw dayLimitError(reached, clock.now());
    // guarantee: near-quota-asked-each-time
    return quotas.requestsPerDay - today.use.modelRequests > farAt ? true : null;
  };
  await (far?.find(organizationId, check) ?? check());
}

/** The quota that is used up; null if the conversation may go on. */
export async function findUsedUpQuota(
  db: Db,
  { organizationId, secrets, clock }: Context,
  { quotas, versionId, isSpoken, today }: Omit<Conversation, 'far'> & { today?: Today },
): Promise<DayLimitReached | null> {
  return await findDayLimit({
    at: { db, organizationId, now: clock.now() },
    today,
    secrets,
    quotas,
    agentModels: async () =>
      readAgentSettings((await getRow(db, agentVersions, { id: versionId, organizationId })).settings),
    isSpoken,
  });
}
