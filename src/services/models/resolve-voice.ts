import { type Db } from '../../db/rows.ts';
import { readAgentSettings, type AgentModels } from '../../domain/agents/settings.ts';
import { chooseVoice, type ChosenVoice } from '../../domain/models/choose-voice.ts';
import {
  resolvedStt,
  resolvedTts,
  type InstalledVoice,
  type ResolvedStt,
  type ResolvedTts,
} from '../../domain/models/resolved-voice.ts';
import type { VoiceService } from '../../domain/models/voice-settings.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import type { CustomerStts, SttPort } from '../../providers/stt/port.ts';
import { openAgentModels, readConfiguration } from './internal.ts';

export interface VoiceDeps {
  secrets: SecretBox;
  /** The installation's voice and speech recognition. */
  voice: InstalledVoice;
}

interface Resolving {
  db: Db;
  deps: VoiceDeps;
  organizationId: number;
  /** The settings of the agent's version; absent without an agent. */
  agentSettings?: AgentModels;
}

/**
 * The voice and the speech recognition of a call, with customers' keys in clear. They must stay in the
 * process that uses them.
 */
export interface ResolvedVoice {
  tts: ResolvedTts;
  stt: ResolvedStt;
}

/**
 * The voice and the speech recognition of a call (contract 3.1, 13.3, docs/models.md), by the same levels as
 * its language model. Looked up once per call, when it begins. For unusable settings this answers the
 * installation's, with the fault: a call in another voice is better than a silent one.
 */
export async function resolveVoice({
  db,
  deps,
  organizationId,
  agentSettings = readAgentSettings({}),
}: Resolving): Promise<ResolvedVoice> {
  const organization = await readConfiguration({ db, secrets: deps.secrets, organizationId });
  const opened = openAgentModels(agentSettings, { secrets: deps.secrets, organizationId });
  const chosen = (service: VoiceService): ChosenVoice | null =>
    chooseVoice({ service, agentSettings: opened, organization });
  return { tts: resolvedTts(chosen('tts'), deps.voice.tts), stt: resolvedStt(chosen('stt'), deps.voice.stt) };
}

/** The port that opens sessions: the customer's if it has its own key, else the installation's. */
export function sttOf(
  { stt, customerStts }: { stt: SttPort; customerStts: CustomerStts },
  { provider, model, key }: ResolvedStt,
): SttPort {
  return key === null ? stt : customerStts({ provider, apiKey: key, model });
}
