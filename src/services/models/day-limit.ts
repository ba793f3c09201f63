import type { AgentModels } from '../../domain/agents/settings.ts';
import { DayLimitError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/graph/definition.ts';
import { chooseLlm } from '../../domain/models/choose-llm.ts';
import { chooseVoice } from '../../domain/models/choose-voice.ts';
import { readVoice, type VoiceService } from '../../domain/models/voice-settings.ts';
import {
  reachedLimit,
  reachedWords,
  type DayLimits,
  type ReachedLimit,
} from '../../domain/telephony/dial-rule.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import { readToday, type OrganizationTime, type Today } from '../identity/index.ts';
import { openAgentModels, readConfiguration } from './internal.ts';

/** How much of the installation's models an organization without own keys may use per day (docs/models.md). */
export interface ModelQuotas {
  requestsPerDay: number;
  voiceMinutesPerDay: number;
}

export const usualModelQuotas: ModelQuotas = { requestsPerDay: 100_000, voiceMinutesPerDay: 20_000 };

export interface DayLimitReached extends ReachedLimit {
  /** When the day of the organization ends. */
  until: Date;
}

interface Finding {
  at: OrganizationTime;
  /** What the organization has used today; absent = it is read. */
  today?: Today | undefined;
  secrets: SecretBox;
  /** Limits of dialing; absent for what is not dialed. */
  limits?: Pick<DayLimits, 'calls' | 'callMinutes'>;
  /** Replaces the usual quotas. */
  quotas?: ModelQuotas | undefined;
  /** The models of the agent; asked for only when a quota is used up. */
  agentModels: () => Promise<AgentModels>;
  /** A text conversation has no voice. */
  isSpoken: boolean;
}

/**
 * The daily limit that the organization has reached; null if none. It reads one row by its key; the models
 * that the agent uses are looked up only when a quota of the installation's models is used up.
 */
export async function findDayLimit({
  at,
  today,
  secrets,
  limits = { calls: Infinity, callMinutes: Infinity },
  quotas = usualModelQuotas,
  agentModels,
  isSpoken,
}: Finding): Promise<DayLimitReached | null> {
  const { day, use } = today ?? (await readToday(at));
  const all = {
    ...limits,
    modelRequests: quotas.requestsPerDay,
    voiceMinutes: isSpoken ? quotas.voiceMinutesPerDay : null,
  };
  const first = reachedLimit(use, all);
  if (first === null) return null;
  const uses = await usesInstallation({ at, secrets, agentSettings: await agentModels() });
  // guarantee: own-keys-have-no-quota
  const reached = reachedLimit(use, {
    ...limits,
    modelRequests: uses.llm ? all.modelRequests : null,
    voiceMinutes: uses.voice ? all.voiceMinutes : null,
  });
  return reached === null ? null : { ...reached, until: day.until };
}

/**
 * Throws LimitError (429) when the organization has used up the quota of a request that needs the
 * installation's key.
 */
export async function requireInstallationQuota(
  at: OrganizationTime,
  quota: 'modelRequests' | 'voiceMinutes',
  { requestsPerDay, voiceMinutesPerDay } = usualModelQuotas,
): Promise<void> {
  const { day, use } = await readToday(at);
  const reached = reachedLimit(use, {
    calls: Infinity,
    callMinutes: Infinity,
    modelRequests: quota === 'modelRequests' ? requestsPerDay : null,
    voiceMinutes: quota === 'voiceMinutes' ? voiceMinutesPerDay : null,
  });
  // guarantee: used-up-quota-refuses-requests
  if (reached !== null) throw dayLimitError({ ...reached, until: day.until }, at.now);
}

/** The error for a person who asked for what the limit forbids (429). */
export function dayLimitError(reached: DayLimitReached, now: Date): DayLimitError {
  return new DayLimitError(reachedWords(reached, reached.until), {
    retryAfterMs: Math.max(1000, reached.until.getTime() - now.getTime()),
  });
}

/** Whether the keys of the installation are used for the language model, and for a voice or recognition. */
async function usesInstallation({
  at: { db, organizationId },
  secrets,
  agentSettings,
}: Pick<Finding, 'at' | 'secrets'> & { agentSettings: AgentModels }): Promise<{
  llm: boolean;
  voice: boolean;
}> {
  const organization = await readConfiguration({ db, secrets, organizationId });
  const chosen = {
    agentSettings: openAgentModels(agentSettings, { secrets, organizationId }),
    organization,
  };
  const hasNoKey = (service: VoiceService) =>
    isWithoutKey(chooseVoice({ service, ...chosen })?.settings ?? {});
  return { llm: chooseLlm(chosen) === null, voice: hasNoKey('tts') || hasNoKey('stt') };
}

function isWithoutKey(settings: JsonObject): boolean {
  const { apiKey, credentials } = readVoice(settings);
  return apiKey === null && credentials === null;
}
