import type { DataSource } from 'typeorm';
import type { Config } from '../../config/env.ts';
import { findRow } from '../../db/rows.ts';
import { lineRecordings } from '../../db/tables/line-recordings.ts';
import { resample } from '../../domain/audio/resample.ts';
import { readWav, toMono } from '../../domain/audio/wav.ts';
import { createHeuristicAnalyzer } from '../../domain/turn-taking/heuristic-analyzer.ts';
import { tracedHttp } from '../../providers/http/traced.ts';
import type { GuardedClient } from '../../providers/http/guarded-client.ts';
import { createLlms } from '../../providers/llm/installed.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import type { FileDirectory } from '../../providers/storage/directory.ts';
import { createStts } from '../../providers/stt/installed.ts';
import { createClips, type Clips as PhraseClips } from '../../providers/tts/clips.ts';
import { createInstalledTts, ttsOf, voiceOf } from '../../providers/tts/installed.ts';
import type { TtsPort } from '../../providers/tts/port.ts';
import { systemClock } from '../../runtime/clock.ts';
import { randomIds } from '../../runtime/ids.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import { writeJournal } from '../../services/conversation/index.ts';
import { resolveVoice, sttOf } from '../../services/models/index.ts';
import type { LiveLegs } from '../sessions.ts';
import { createConversations, type Conversations } from './conversations.ts';
import { createJournalWriter } from './journal-writer.ts';
import type { Clips, RecordedLine, SpeakingDeps } from './ports.ts';

export interface SpeakingParts {
  config: Config;
  db: DataSource;
  secrets: SecretBox;
  http: GuardedClient;
  /** Absent = recorded lines cannot be played. */
  files: FileDirectory | undefined;
  legs: LiveLegs;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
}

export interface Speaking {
  conversations: Conversations;
  /** Opens the vendors' connections, so that the first call does not pay for them. What cannot be reached is told by the first call. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** Conversations over the real world: model, voice and ears of the installation and of customers, the journal in MySQL. */
export function composeSpeaking({ config, db, secrets, http: guarded, files, legs, log, metrics, tracing }: SpeakingParts): Speaking {
  const http = tracedHttp(guarded, tracing);
  const { llm, model, customerLlms } = createLlms({ settings: config.llm, http, metrics, tracing });
  const stts = createStts({ settings: config.stt, metrics });
  const installed = createInstalledTts({ settings: config.tts, metrics, tracing });
  const voice = { tts: installed.voice, stt: { shownAs: stts.stt.provider, provider: config.stt.provider, model: stts.sttModel, language: null } };
  if (installed.tts.simulated || stts.stt.simulated) log.warn({ voices: installed.tts.simulated, recognition: stts.stt.simulated }, 'Voices or speech recognition are simulated');
  const journal = createJournalWriter({ write: (writes) => writeJournal({ db, writes, at: systemClock.now() }), log });
  const deps: SpeakingDeps = {
    nowMs: () => performance.now(),
    clock: systemClock,
    conversation: { db, clock: systemClock, ids: randomIds, log, secrets, llm, model, customerLlms, voice, prices: config.llm.prices, publicUrl: config.http.publicUrl },
    legs,
    async voicesFor({ organizationId, settings }) {
      const { tts, stt } = await resolveVoice({ db, deps: { secrets, voice }, organizationId, agentSettings: settings });
      for (const { fault } of [tts, stt]) if (fault !== null) log.warn({ organizationId, fault }, 'The voice settings of a call cannot be used; those of the installation are');
      const own = { tts: ttsOf(installed, tts), voice: voiceOf(tts), service: `${tts.shownAs}|||${tts.model}` };
      return { voices: [own], stt: sttOf(stts, stt), sttModel: stt.model, sttService: `${stt.shownAs}|||${stt.model}`, language: tts.language };
    },
    clips: clipsOf(installed.tts, installed.clips),
    findRecordedLine: (asked) => findRecordedLine({ db, files, ...asked }),
    analyzer: createHeuristicAnalyzer(),
    journal,
    metrics,
    log,
  };
  const conversations = createConversations(deps);
  return {
    conversations,
    async warm() {
      await Promise.allSettled([installed.tts.warm(), stts.stt.warm()]);
    },
    async close() {
      await conversations.close();
      await journal.close();
      await Promise.allSettled([installed.close(), stts.stt.close()]);
    },
  };
}

/** Fixed phrases in the installation's voice are made once for all calls; a customer's key makes its own, kept as long as its connection. */
function clipsOf(installed: TtsPort, ofInstallation: PhraseClips): Clips {
  const others = new WeakMap<TtsPort, PhraseClips>();
  const of = (tts: TtsPort): PhraseClips => {
    if (tts === installed) return ofInstallation;
    const clips = others.get(tts) ?? createClips({ tts });
    others.set(tts, clips);
    return clips;
  };
  return {
    get: ({ voice: { tts, voice }, text, sampleRate }) => of(tts).ready({ voice, text, sampleRate }),
    async prime(clips, signal) {
      for (const { voice: { tts, voice }, text, sampleRate } of clips) await of(tts).prime([{ voice, text, sampleRate }], signal);
    },
  };
}

interface AskedLine {
  db: DataSource;
  files: FileDirectory | undefined;
  organizationId: number;
  recordingId: string;
  sampleRate: 8000 | 16000;
}

/** A recorded line as it is to be heard; null when there is none of that name, or its file is gone. */
async function findRecordedLine({ db, files, organizationId, recordingId, sampleRate }: AskedLine): Promise<RecordedLine | null> {
  const row = files === undefined || !/^[\w-]{1,64}$/.test(recordingId) ? null : await findRow(db.manager, lineRecordings, { organizationId, liveRecordingId: recordingId });
  if (row === null || files === undefined || (await files.facts(row.storageKey)) === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of files.read(row.storageKey)) parts.push(part);
  const audio = readWav(Buffer.concat(parts));
  if (audio === null) return null;
  const mono = toMono(audio);
  return { samples: audio.sampleRate === sampleRate ? mono : resample(mono, { from: audio.sampleRate, to: sampleRate }), text: row.transcript === '' ? null : row.transcript };
}
