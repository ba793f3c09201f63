import { getRow, type Db } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { readAgentSettings } from '../../domain/agents/settings.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { dayLimitError, findDayLimit, type DayLimitReached, type ModelQuotas } from './day-limit.ts';

interface Conversation {
  /** Replaces the usual quotas. */
  quotas: ModelQuotas | undefined;
  versionId: number;
  isSpoken: boolean;
}

type Context = Pick<ServiceContext, 'organizationId' | 'secrets' | 'clock'>;

/**
 * Throws LimitError (429) when an organization without own keys has used up a quota of the installation's
 * models today (docs/models.md).
 */
export async function requireQuota(db: Db, ctx: Context, conversation: Conversation): Promise<void> {
  const reached = await findUsedUpQuota(db, ctx, conversation);
  if (reached !== null) throw dayLimitError(reached, ctx.clock.now());
}

/** The quota that is used up; null if the conversation may go on. */
export async function findUsedUpQuota(
  db: Db,
  { organizationId, secrets, clock }: Context,
  { quotas, versionId, isSpoken }: Conversation,
): Promise<DayLimitReached | null> {
  return await findDayLimit({
    at: { db, organizationId, now: clock.now() },
    secrets,
    quotas,
    agentModels: async () =>
      readAgentSettings((await getRow(db, agentVersions, { id: versionId, organizationId })).settings),
    isSpoken,
  });
}
