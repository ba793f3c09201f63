import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Action, Rule } from '../../../emulators/llm/rules.ts';
import { startLlmEmulator } from '../../../emulators/llm/server.ts';
import { callSeats } from '../../../src/db/tables/call-seats.ts';
import { calls } from '../../../src/db/tables/calls.ts';
import { columns } from '../../../src/db/rows.ts';
import type { Definition } from '../../../src/domain/graph/definition.ts';
import type { Line } from '../../../src/domain/call/line.ts';
import type { Step } from '../../../src/domain/call/turn.ts';
import type { SpeakStepInput, SpokenStep } from '../../../src/domain/call/voice.ts';
import { createHeuristicAnalyzer } from '../../../src/domain/turn-taking/heuristic-analyzer.ts';
import type { AbsenceTimes } from '../../../src/media/speaking/absence.ts';
import { createConversations, type Conversations } from '../../../src/media/speaking/conversations.ts';
import { createJournalWriter } from '../../../src/media/speaking/journal-writer.ts';
import type { CallVoice } from '../../../src/media/speaking/voices.ts';
import type { RecordedLine, SpeakingDeps } from '../../../src/media/speaking/ports.ts';
import { NoLegError } from '../../../src/media/sessions.ts';
import { createOpenAiLlm } from '../../../src/providers/llm/openai.ts';
import { reconnectingStt } from '../../../src/providers/stt/reconnecting.ts';
import { noMetrics, type Metrics } from '../../../src/runtime/metrics.ts';
import { writeJournal, type JournalWrite } from '../../../src/services/calls/index.ts';
import { agentVersions } from '../../../src/db/tables/agent-versions.ts';
import { admitTextCall, conversationDeps } from '../admitted-call.ts';
import { createTestContext, createTestDatabase, type TestDatabase } from '../database.ts';
import { startSttBench, type SttBench } from '../stt-emulator.ts';
import { startTtsBench, voices as ttsVoices, type TtsBench, type TtsVendor } from '../tts-emulator.ts';
import type { Fault } from '../../../emulators/stt/faults.ts';
import { createLiveLine, type LiveLine } from './live-line.ts';

/**
 * Spoken calls in real time, with real sockets to the simulated providers and a real MySQL, but without
 * Temporal and a carrier.
 */
export interface SpeakingWorld {
  database: TestDatabase;
  voices: TtsBench;
  /** A call of a new agent, with its own host and leg. */
  call(options: CallOptions): Promise<SpokenCall>;
  close(): Promise<void>;
}

export interface CallOptions {
  definition: Definition;
  initialContext?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  /** The model's answers in order, the last one for all later requests; or whole rules. */
  model?: Action[];
  rules?: Rule[];
  /** The voices, in the order of fallback. */
  voices?: TtsVendor[];
  sttFaults?: Fault[];
  recordings?: Record<string, RecordedLine>;
  clips?: CallVoice['clips'];
  metrics?: Metrics;
  /** Whether workers ask for steps; they do. */
  drivers?: Partial<SpeakingDeps['drivers']>;
  absenceTimes?: Partial<AbsenceTimes>;
  /** Replaces the journal in MySQL. */
  journal?: (writes: readonly JournalWrite[]) => Promise<void>;
}

export interface SpokenCall {
  callId: number;
  organizationId: number;
  readonly line: LiveLine;
  readonly conversations: Conversations;
  readonly deps: SpeakingDeps;
  /** The requests to the model. */
  asked(): { sent: string; messages: { role: string; content: string }[] }[];
  /** A step as the Workflow asks for it. */
  step(
    step: Partial<Step> & Pick<Step, 'nodeId' | 'entry'>,
    more?: Partial<SpeakStepInput>,
  ): Promise<SpokenStep>;
  input(step: Partial<Step> & Pick<Step, 'nodeId' | 'entry'>, more?: Partial<SpeakStepInput>): SpeakStepInput;
  /**
   * The host dies with its unwritten journal, and another one gets the call, with a new leg and no memory of
   * it.
   */
  lose(): Promise<void>;
  end(): Promise<void>;
}

const Messages = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
});

/** The model is asked ahead, so the caller's words select the answer, not the number of the request. */
export const answering = (userText: string, answer: Action): Rule => ({
  name: userText,
  when: { userText },
  answer,
});

/** The caller's words, as a step gets them. */
export const said = (text: string, nodeId = 'start'): Line => ({
  speaker: 'user',
  text,
  at: new Date().toISOString(),
  nodeId,
  kind: 'utterance',
});

const noClips: CallVoice['clips'] = { ready: () => null, prime: async () => undefined };

export async function createSpeakingWorld(): Promise<SpeakingWorld> {
  const database = await createTestDatabase('mariadb');
  const ctx = await createTestContext(database.db);
  const emulator = await startLlmEmulator();
  const recognizer: SttBench = await startSttBench();
  const voices = await startTtsBench();
  const ports = { google: voices.tts('google'), openai: voices.tts('openai') };
  await Promise.all(Object.values(ports).map((port) => port.warm()));
  const open = new Set<SpokenCall>();

  async function call({
    definition,
    initialContext = {},
    settings = {},
    model = [],
    rules = [],
    voices = ['google'],
    sttFaults = [],
    recordings = {},
    clips = noClips,
    metrics = noMetrics,
    drivers = {},
    absenceTimes = {},
    journal = (writes) => writeJournal({ db: database.db, writes, at: ctx.clock.now() }),
  }: CallOptions): Promise<SpokenCall> {
    const key = `simulated-${randomUUID()}`;
    emulator.rules.add(
      [
        ...rules,
        ...model.map((answer, index) => ({
          name: `answer ${index + 1}`,
          when: index === model.length - 1 ? {} : { nth: index + 1 },
          answer,
        })),
      ],
      key,
    );
    const { stt } = recognizer.sttThat('telnyx', sttFaults);
    const patient = { ...stt, capabilities: { ...stt.capabilities, p99FinalMs: 1500 } };
    const { callId, organizationId, versionId } = await admitTextCall({ ctx, definition, initialContext });
    await database.db
      .getRepository(calls)
      .update({ id: callId }, { channel: 'phone', mode: 'telnyx', direction: 'outbound' });
    await database.db.getRepository(agentVersions).update({ id: versionId }, columns({ settings }));
    await database.db.getRepository(callSeats).insert({
      callId,
      organizationId,
      generation: 1,
      hostId: randomUUID(),
      tokenEncrypted: 'x',
      tokenUsedAt: null,
      claimedAt: new Date(),
      mediaBeganAt: null,
      moves: null,
      releasedAt: null,
    });
    const conversation = conversationDeps(ctx, {
      llm: createOpenAiLlm({ apiKey: key, baseUrl: emulator.url }),
      model: 'simulated-model',
    });

    let generation = 1;
    let line = createLiveLine();
    const host = () => {
      let isDead = false;
      const deps: SpeakingDeps = {
        nowMs: () => performance.now(),
        clock: ctx.clock,
        conversation,
        legs: {
          whenLive: async (id, wanted) =>
            id === callId && wanted === line.leg.generation
              ? line.leg
              : Promise.reject(new NoLegError('unknown')),
          onLive: (listener) => listener({ callId, organizationId, generation }, line.leg),
        },
        voicesFor: async () => ({
          voices: voices.map((vendor) => ({
            tts: ports[vendor],
            voice: ttsVoices[vendor],
            service: `simulated|||${vendor}`,
            clips,
          })),
          // A busy machine delays the last words.
          stt: reconnectingStt(patient),
          sttModel: null,
          sttService: 'simulated|||recognizer',
          language: 'en-US',
          sttLanguage: 'en-US',
        }),
        findRecordedLine: async ({ recordingId }) => recordings[recordingId] ?? null,
        analyzer: createHeuristicAnalyzer(),
        journal: createJournalWriter({
          write: async (writes) => (isDead ? undefined : await journal(writes)),
          log: ctx.log,
        }),
        drivers: { waitingTask: () => Promise.resolve(null), giveUp: () => Promise.resolve(), ...drivers },
        absenceTimes,
        metrics,
        log: ctx.log,
      };
      return { deps, conversations: createConversations(deps), kill: () => void (isDead = true) };
    };
    let running = host();

    const spoken: SpokenCall = {
      callId,
      organizationId,
      get line() {
        return line;
      },
      get conversations() {
        return running.conversations;
      },
      get deps() {
        return running.deps;
      },
      asked: () =>
        emulator.log.entries(key).map(({ sent, request }) => ({
          sent,
          messages: Messages.parse(request).messages.map(({ role, content }) => ({
            role,
            content: content ?? '',
          })),
        })),
      input: (step, more = {}) => ({
        callId,
        organizationId,
        versionId,
        generation,
        step: { branch: 0, turnIndex: 0, visitIndex: 0, mayMove: true, mayUseTools: true, ...step },
        pendingLines: [],
        say: { kind: 'reply' },
        listens: true,
        ...more,
      }),
      step: (step, more) =>
        running.conversations.speak(spoken.input(step, more), new AbortController().signal),
      async lose() {
        running.kill();
        const [lost, lostLine] = [running, line];
        lost.deps.legs.whenLive = async () => await Promise.reject(new NoLegError('fenced'));
        lostLine.close();
        await lost.conversations.close();
        generation += 1;
        await database.db.getRepository(callSeats).update({ callId }, { generation });
        line = createLiveLine({ generation });
        running = host();
      },
      async end() {
        line.close();
        await running.conversations.close();
        await running.deps.journal.close();
        open.delete(spoken);
      },
    };
    open.add(spoken);
    return spoken;
  }

  return {
    database,
    voices,
    call,
    async close() {
      await Promise.all([...open].map((each) => each.end()));
      await recognizer.close();
      await voices.close();
      await emulator.close();
      await database.drop();
    },
  };
}
