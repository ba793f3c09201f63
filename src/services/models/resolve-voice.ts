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
  /** What the installation speaks and listens by. */
  voice: InstalledVoice;
}

interface Resolving {
  db: Db;
  deps: VoiceDeps;
  organizationId: number;
  /** Of the version that is called; absent = those of no agent. */
  agentSettings?: AgentModels;
}

/**
 * By what a call is spoken and heard, with the keys of customers in clear: for the process that asks by them,
 * and for nobody else.
 */
export interface ResolvedVoice {
  tts: ResolvedTts;
  stt: ResolvedStt;
}

/**
 * The voice and the speech recognition of a call (contract 3.1, 13.3, docs/models.md), by the same levels as
 * its language model. Looked up once a call, when it begins. Settings that cannot be used are answered as the
 * installation's with what is wrong with them: a call in another voice is better than a silent one.
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

/** The port to open sessions by: the customer's with a key of theirs, else the installation's. */
export function sttOf(
  { stt, customerStts }: { stt: SttPort; customerStts: CustomerStts },
  { provider, model, key }: ResolvedStt,
): SttPort {
  return key === null ? stt : customerStts({ provider, apiKey: key, model });
}
