import { getRow } from '../../../db/rows.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { readAgentSettings } from '../../../domain/agents/settings.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import { callInputFor, phoneChannel } from '../../calls/index.ts';
import type { PaceDeps } from './deps.ts';
import type { DialingVersion } from './version.ts';
import type { WrittenAttempt } from './write-attempts.ts';

/** Concurrent requests to Temporal. */
const atOnce = 10;

/** An attempt, with what its call is started with. */
export interface Startable {
  written: WrittenAttempt;
  version: DialingVersion;
}

/**
 * Starts the calls of committed attempts, by their ids: a call that was already started continues. A call
 * that cannot be started now, even if Temporal is unavailable, is left to the check for late rows.
 */
export async function startAttempts({
  deps,
  campaignUuid,
  attempts,
}: {
  deps: PaceDeps;
  campaignUuid: string;
  attempts: readonly Startable[];
}): Promise<void> {
  const [first] = attempts;
  if (first === undefined) return;
  const organization = await getRow(deps.db.manager, organizations, {
    id: first.written.call.organizationId,
  });
  const waiting = [...attempts];
  const starter = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await startOne(deps, { campaignUuid, organization, ...next });
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, attempts.length) }, starter));
}

async function startOne(
  { calls, log }: PaceDeps,
  {
    campaignUuid,
    organization,
    written,
    version: { agent, version },
  }: Startable & { campaignUuid: string; organization: { uuid: string } },
): Promise<void> {
  const { call, rowNumber, attemptNumber, configurationId, phoneNumberId } = written;
  const channel = phoneChannel(readAgentSettings(version.settings), {
    provider: call.mode,
    direction: 'outbound',
    configurationId,
    phoneNumberId,
  });
  try {
    await calls.startCall({
      ...callInputFor({ organization, agent, version, call, channel }),
      campaign: { campaignUuid, rowNumber, attemptNumber },
    });
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    log.warn(
      { callId: call.id, organizationId: call.organizationId, fault: error.message },
      'A call of a campaign could not be started yet',
    );
  }
}
