import { getRow } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { readAgentSettings } from '../../../domain/agents/settings.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';
import { dialFault, type DialFault, type DialRule } from '../../../domain/telephony/dial-rule.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { readToday, takeDial, type OrganizationTime, type Today } from '../../identity/index.ts';
import { findDayLimit, type DayLimitReached } from '../../models/index.ts';
import { usualCallLimits, type CallLimits } from '../outbound.ts';

/** The rule of an organization's dial policy. */
export function ruleOf({ countries, allowsSpecialNumbers = false, sipHosts = [] }: DialPolicy): DialRule {
  return { countries: countries ?? null, allowsSpecialNumbers, sipHosts };
}

/** Why an organization with that policy does not dial this destination (contract 5.7); null if it does. */
export function policyFault(policy: DialPolicy, destination: string): DialFault | null {
  return dialFault(destination, ruleOf(policy));
}

interface Dialing {
  at: OrganizationTime;
  policy: DialPolicy;
  secrets: SecretBox;
  /** Replaces `usualCallLimits`. */
  limits: CallLimits | undefined;
  /** The version whose models the call uses; null for a transfer, which uses none. */
  versionId: number | null;
}

/** The daily limit that forbids a dial now (contract 5.7); null if none. */
export async function findDialLimit({
  at,
  policy,
  secrets,
  limits,
  versionId,
  today,
}: Dialing & {
  /** What the organization has used today; absent = it is read. */
  today?: Today;
}): Promise<DayLimitReached | null> {
  const { db, organizationId } = at;
  return await findDayLimit({
    at,
    today,
    secrets,
    limits: maximaOf(policy, limits),
    quotas: versionId === null ? { requestsPerDay: Infinity, voiceMinutesPerDay: Infinity } : limits?.quotas,
    agentModels: async () =>
      readAgentSettings(
        versionId === null
          ? {}
          : (await getRow(db, agentVersions, { id: versionId, organizationId })).settings,
      ),
    isSpoken: true,
  });
}

/** A dial that is counted in the organization's day, or the limit that forbids it. */
export type TakenDial = { kind: 'taken'; day: string } | { kind: 'limit'; reached: DayLimitReached };

/** Counts a dial directly before it is sent. Concurrent dials never exceed the maximum of the day. */
export async function takeDialOfDay(dialing: Dialing): Promise<TakenDial> {
  const { at, policy, limits } = dialing;
  const today = await readToday(at);
  const reached = await findDialLimit({ ...dialing, today });
  if (reached !== null) return { kind: 'limit', reached };
  const { calls } = maximaOf(policy, limits);
  // guarantee: concurrent-dials-keep-the-daily-limit
  if (await takeDial(at, { day: today.day.date, max: calls })) return { kind: 'taken', day: today.day.date };
  const found = await findDialLimit(dialing);
  return found === null ? await takeDialOfDay(dialing) : { kind: 'limit', reached: found };
}

function maximaOf(
  { maxCallsPerDay, maxCallMinutesPerDay }: DialPolicy,
  { callsPerDay, callMinutesPerDay }: Partial<CallLimits> = {},
): { calls: number; callMinutes: number } {
  return {
    calls: maxCallsPerDay ?? callsPerDay ?? usualCallLimits.callsPerDay,
    callMinutes: maxCallMinutesPerDay ?? callMinutesPerDay ?? usualCallLimits.callMinutesPerDay,
  };
}
