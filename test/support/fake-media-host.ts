import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import type {
  ClaimSeatInput,
  MediaActivities,
  SpeakStepInput,
  SpokenStep,
} from '../../src/domain/call/voice.ts';
import { claimSeat, registerHost, releaseSeat } from '../../src/services/media/index.ts';
import { commitTurn } from '../../src/services/calls/index.ts';
import type { SpeakStepRequest, SpeakingActivities } from '../../src/activities/speaking.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { temporalTestAddress } from './temporal.ts';

/** A scripted host's answer to one step; a promise that never settles is a step that continues. */
export type Script = (
  input: SpeakStepInput,
  signal: AbortSignal,
) => Promise<Partial<SpokenStep>> | Partial<SpokenStep>;

/** A media host without media: real queues, real seats, scripted steps. */
export interface FakeMediaHost {
  hostId: string;
  hostQueue: string;
  /** Requested steps, in order. */
  steps: SpeakStepInput[];
  claims: ClaimSeatInput[];
  released: ClaimSeatInput[];
  /** Called when the Workflow lets the host finish speaking. */
  finishSpeaking: (input: ClaimSeatInput) => Promise<void>;
  /** Steps that the Workflow broke off. */
  stopped: ClaimSeatInput[];
  /** Steps that were ended for a supervisor. */
  yielded: ClaimSeatInput[];
  /** How such a step ends. */
  yieldsWith: Partial<SpokenStep>;
  /** The supervisors' notes that the host was told, each time all of them. */
  notes: string[][];
  script: Script;
  /** Writes the turns that steps carry; otherwise the Workflow has them committed. */
  writesTurns: boolean;
  /** Refuses every claim as full; while it polls, it may be asked repeatedly. */
  isFull: boolean;
  /** The host that it names when it is full. */
  elsewhere?: string;
  /** Accepts no further call: its queue of seats is no longer polled. */
  fill(): Promise<void>;
  /** Like `kill -9`: heartbeats, answers and polling stop. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** How long to wait for the end of a worker, whose own limit is 0.1 s. */
const maxEndMs = 5000;

type HostActivities = MediaActivities & Pick<SpeakingActivities, 'speakStep'>;

type Unbound<Methods> = { [Name in keyof Methods]: Methods[Name] };

export async function startFakeMediaHost(
  ctx: ServiceContext,
  { seatQueue, script }: { seatQueue: string; script: Script },
): Promise<FakeMediaHost> {
  const hostId = randomUUID();
  const hostQueue = `media-${hostId.slice(0, 8)}`;
  await registerHost({
    db: ctx.db,
    host: {
      id: hostId,
      hostQueue,
      publicUrl: `ws://${hostId.slice(0, 8)}.media.test`,
      probeUrl: 'http://media.test',
      maxCalls: 10,
    },
  });
  let isDead = false;
  let yielding = Promise.withResolvers<Partial<SpokenStep>>();
  const never = () => new Promise<never>(() => undefined);
  const host: FakeMediaHost = {
    hostId,
    hostQueue,
    steps: [],
    claims: [],
    released: [],
    finishSpeaking: () => Promise.resolve(),
    stopped: [],
    yielded: [],
    yieldsWith: { lines: [], next: { kind: 'intervened', wasSpeaking: false } },
    notes: [],
    script,
    writesTurns: true,
    isFull: false,
    fill,
    kill,
    stop,
  };

  const deps = { ...ctx, model: 'test-model' };
  const write = async (turn: SpeakStepRequest['turnBefore']) => {
    if (turn === undefined || !host.writesTurns) return {};
    return await commitTurn({ deps, input: turn }).then(
      () => ({ isTurnBeforeWritten: true as const }),
      () => ({}),
    );
  };
  const activities: Unbound<HostActivities> = {
    claimSeat: async (input) => {
      if (isDead) return await never();
      host.claims.push(input);
      if (host.isFull)
        return { kind: 'full', ...(host.elsewhere === undefined ? {} : { elsewhere: host.elsewhere }) };
      await claimSeat({ deps: ctx, input, hostId });
      return { kind: 'seated', seat: { hostId, hostQueue, generation: input.generation } };
    },
    speakStep: async ({ turnBefore, ...input }) => {
      const context = Context.current();
      const beat = setInterval(() => {
        if (!isDead) context.heartbeat();
      }, 300);
      context.heartbeat();
      host.steps.push(input);
      const written = await write(turnBefore);
      try {
        yielding = Promise.withResolvers();
        const said = await Promise.race([
          Promise.resolve(host.script(input, context.cancellationSignal)),
          yielding.promise,
          context.cancelled,
        ]);
        if (isDead) return await never();
        return { ...spokenStep(input), ...said, ...written };
      } finally {
        clearInterval(beat);
      }
    },
    finishSpeaking: async (input) => await host.finishSpeaking(input),
    stopStep: (input) => {
      host.stopped.push(input);
      return Promise.resolve();
    },
    yieldStep: (input) => {
      host.yielded.push(input);
      yielding.resolve(host.yieldsWith);
      return Promise.resolve();
    },
    takeNotes: ({ notes }) => {
      host.notes.push(notes.map(({ text }) => text));
      return Promise.resolve();
    },
    releaseSeat: async (input) => {
      host.released.push(input);
      await releaseSeat({ deps: ctx, input });
    },
  };

  const connection = await NativeConnection.connect({ address: temporalTestAddress() });
  const common = {
    connection,
    namespace: 'parlance-test',
    shutdownGraceTime: 10,
    shutdownForceTime: 100,
    maxHeartbeatThrottleInterval: 500,
    defaultHeartbeatThrottleInterval: 500,
  };
  const seats = await Worker.create({
    ...common,
    taskQueue: seatQueue,
    activities: { claimSeat: activities.claimSeat },
  });
  const steps = await Worker.create({
    ...common,
    taskQueue: hostQueue,
    activities: {
      claimSeat: activities.claimSeat,
      speakStep: activities.speakStep,
      finishSpeaking: activities.finishSpeaking,
      stopStep: activities.stopStep,
      yieldStep: activities.yieldStep,
      takeNotes: activities.takeNotes,
      releaseSeat: activities.releaseSeat,
    },
  });
  const workers = [seats, steps];
  const [seating, ...runs] = workers.map((worker) => worker.run());
  let stopped: Promise<void> | undefined;
  async function end(): Promise<void> {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    // It neither polls nor answers any more, also if the SDK does not notice the end of a step that never ends.
    await Promise.race([Promise.allSettled([seating, ...runs]), delay(maxEndMs, undefined, { ref: false })]);
    await connection.close().catch(() => undefined); // a worker that was forced to end may still hold it
  }
  async function fill(): Promise<void> {
    seats.shutdown();
    await Promise.allSettled([seating]);
  }
  function stop(): Promise<void> {
    return (stopped ??= end());
  }
  function kill(): Promise<void> {
    isDead = true;
    return stop();
  }
  return host;
}

const usage = {
  llm: {
    service: 'fake|||model',
    promptTokens: 10,
    completionTokens: 5,
    totalTokens: 15,
    cachedPromptTokens: 0,
    estimated: false,
  },
  tts: { 'fake|||voice': 12 },
  stt: { 'fake|||recognizer': 1.5 },
};

/** A step in which the agent says one line and does not listen. */
export function spokenStep(
  { step, say }: SpeakStepInput,
  text = `${say.kind} at ${step.nodeId}`,
): SpokenStep {
  const at = new Date().toISOString();
  return {
    lines: [{ speaker: 'assistant', text, at, endAt: at, nodeId: step.nodeId, kind: 'reply' }],
    chosenEdge: null,
    usage,
    timings: null,
    begunAt: at,
    wasInterrupted: false,
    next: { kind: 'spoken' },
  };
}

/** The caller speaks after the agent's line. */
export function says(text: string): Partial<SpokenStep> {
  const at = new Date().toISOString();
  return { next: { kind: 'utterance', text, startedAt: at, endedAt: at } };
}
