import type { DataSource } from 'typeorm';
import type { Config } from '../../config/env.ts';
import { UnavailableError } from '../../domain/errors.ts';
import { resolvedTts, type InstalledVoice, type ResolvedTts } from '../../domain/models/resolved-voice.ts';
import { createHeuristicAnalyzer } from '../../domain/turn-taking/heuristic-analyzer.ts';
import type { GuardedClient } from '../../providers/http/guarded-client.ts';
import { tracedHttp } from '../../providers/http/traced.ts';
import { createLlms, type InstalledLlms } from '../../providers/llm/installed.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import type { Files } from '../../providers/storage/port.ts';
import { createStts, type InstalledStts } from '../../providers/recognizers.ts';
import { createClips, type Clips } from '../../providers/tts/clips.ts';
import { createInstalledTts, ttsOf, voiceOf, type InstalledTts } from '../../providers/tts/installed.ts';
import type { TtsPort } from '../../providers/tts/port.ts';
import { systemClock } from '../../runtime/clock.ts';
import { randomIds } from '../../runtime/ids.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import { writeJournal } from '../../services/calls/index.ts';
import { resolveVoice, sttOf } from '../../services/models/index.ts';
import { findRecordedLine } from '../../services/agents/index.ts';
import type { LiveLegs } from '../sessions.ts';
import type { CallDrivers } from './absence.ts';
import { createConversations, type Conversations } from './conversations.ts';
import { createJournalWriter, type JournalWriter } from './journal-writer.ts';
import type { SpeakingDeps } from './ports.ts';
import { createRecordedLines } from './recorded-lines.ts';
import type { CallVoice, CallVoices } from './voices.ts';

export interface SpeakingParts {
  config: Config;
  db: DataSource;
  secrets: SecretBox;
  http: GuardedClient;
  /** Without files, recorded lines cannot be played; the model speaks instead. */
  files: Files | undefined;
  legs: LiveLegs;
  drivers: CallDrivers;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
}

export interface Speaking {
  conversations: Conversations;
  /**
   * Opens the vendors' connections, so the first call does not wait for them. Failures show in the first
   * call.
   */
  warm(): Promise<void>;
  /** Ends the conversations and closes what they use. */
  close(): Promise<void>;
}

/** Composes the conversations of a media host. */
export function composeSpeaking(parts: SpeakingParts): Speaking {
  const { db, log } = parts;
  const vendors = createVendors(parts);
  const journal = createJournalWriter({
    write: (writes) => writeJournal({ db, writes, at: systemClock.now() }),
    log,
  });
  const conversations = createConversations(speakingDepsOf(parts, vendors, journal));
  const { stt, tts } = vendors;
  return {
    conversations,
    async warm() {
      await Promise.allSettled([tts.installed.tts.warm(), stt.stt.warm()]);
    },
    async close() {
      await conversations.close();
      await journal.close();
      await Promise.all([stt.stt.close(), tts.close()]);
    },
  };
}

/** The models, voices and recognizers of this installation. */
interface Vendors {
  llm: InstalledLlms;
  stt: InstalledStts;
  tts: Voices;
  /** What an agent without its own choice uses. */
  voice: InstalledVoice;
}

function createVendors({ config, http, log, metrics, tracing }: SpeakingParts): Vendors {
  const llm = createLlms({ settings: config.llm, http: tracedHttp(http, tracing), metrics, tracing });
  const stt = createStts({ settings: config.stt, metrics });
  const tts = createVoices({ settings: config.tts, metrics, tracing });
  const used = { llm: llm.llm, stt: stt.stt, tts: tts.installed.tts };
  for (const [what, { simulated }] of Object.entries(used))
    if (simulated) log.warn({ what }, 'A provider of spoken calls is simulated');
  const voice: InstalledVoice = {
    tts: tts.installed.voice,
    stt: {
      shownAs: stt.stt.provider,
      provider: config.stt.provider,
      model: stt.sttModel,
      language: null,
    },
  };
  return { llm, stt, tts, voice };
}

function speakingDepsOf(parts: SpeakingParts, vendors: Vendors, journal: JournalWriter): SpeakingDeps {
  const { config, db, secrets, files, legs, drivers, log, metrics } = parts;
  const lines = createRecordedLines({
    findLine: (input) => findRecordedLine({ db, input }),
    readFile: (key) => readWhole(files, key),
  });
  return {
    nowMs: () => performance.now(),
    clock: systemClock,
    conversation: {
      db,
      clock: systemClock,
      ids: randomIds,
      log,
      secrets,
      ...vendors.llm,
      voice: vendors.voice,
      prices: config.llm.prices,
      publicUrl: config.http.publicUrl,
    },
    legs,
    voicesFor: (asked) => voicesFor(parts, vendors, asked),
    findRecordedLine: (asked) => lines.find(asked),
    analyzer: createHeuristicAnalyzer(),
    journal,
    drivers,
    metrics,
    log,
  };
}

/** The voices and the recognizer that a call of this agent uses. */
async function voicesFor(
  { db, secrets, log }: SpeakingParts,
  { stt: { stt, customerStts }, tts: voices, voice }: Vendors,
  { organizationId, settings }: Parameters<SpeakingDeps['voicesFor']>[0],
): Promise<CallVoices> {
  const { tts, stt: recognizer } = await resolveVoice({
    db,
    deps: { secrets, voice },
    organizationId,
    agentSettings: settings,
  });
  for (const { fault } of [tts, recognizer])
    if (fault !== null)
      log.warn(
        { organizationId, fault },
        "A voice that was chosen cannot be used; the installation's speaks",
      );
  return {
    voices: voices.voicesOf(tts),
    stt: sttOf({ stt, customerStts }, recognizer),
    sttModel: recognizer.model,
    sttService: `${recognizer.shownAs}|||${recognizer.model}`,
    language: tts.language,
    sttLanguage: recognizer.language,
  };
}

interface Voices {
  installed: InstalledTts;
  /** The voice of a call, followed by one of another vendor as a fallback if the installation has one. */
  voicesOf(tts: ResolvedTts): CallVoice[];
  close(): Promise<void>;
}

function createVoices(parts: Parameters<typeof createInstalledTts>[0]): Voices {
  const installed = createInstalledTts(parts);
  const { provider } = parts.settings;
  const other = createInstalledTts({
    ...parts,
    settings: {
      ...parts.settings,
      provider: provider === 'google' ? 'openai' : 'google',
      model: undefined,
      voice: undefined,
    },
  });
  const clips = new WeakMap<TtsPort, Clips>([
    [installed.tts, installed.clips],
    [other.tts, other.clips],
  ]);
  const clipsOf = (tts: TtsPort): Clips => {
    const made = clips.get(tts) ?? createClips({ tts });
    clips.set(tts, made);
    return made;
  };
  const callVoice = (tts: TtsPort, resolved: ResolvedTts): CallVoice => ({
    tts,
    voice: voiceOf(resolved),
    service: `${resolved.shownAs}|||${resolved.model}`,
    clips: clipsOf(tts),
  });
  return {
    installed,
    voicesOf(tts) {
      const first = callVoice(ttsOf(installed, tts), tts);
      return other.hasTts
        ? [first, callVoice(other.tts, resolvedTts(null, { ...other.voice, language: tts.language }))]
        : [first];
    },
    async close() {
      await Promise.all([installed.close(), other.close()]);
    },
  };
}

async function readWhole(files: Files | undefined, key: string): Promise<Uint8Array> {
  if (files === undefined)
    throw new UnavailableError('This installation keeps no files', { dependency: 'storage' });
  const parts: Uint8Array[] = [];
  for await (const part of files.read(key)) parts.push(part);
  return Buffer.concat(parts);
}
