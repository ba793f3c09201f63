import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startPhoneService,
  type MediaProcess,
  type SimulatedCarrier,
} from '../../../test/support/phone-service.ts';
import {
  measure,
  measured,
  type MeasuredRole,
  type MeasuredService,
  type MeasuredServiceOptions,
} from '../service.ts';
import { llmKey } from '../provider-time.ts';
import { listenerOn } from '../process-use.ts';
import type { Delays } from './turn-times.ts';

/** The measured service with everything that a phone call needs. Calls are recorded, as in production. */
export interface MeasuredPhone {
  service: MeasuredService;
  carrier: SimulatedCarrier;
  /** Other processes that use the processor, by name. */
  pids: {
    api: number | null;
    worker: number | null;
    mysql: number | null;
    temporal: number | null;
    carrier: number | null;
    recognizer: number | null;
    voices: number | null;
    model: number | null;
    bench: number;
  };
  /** Starts another media host. */
  startMedia(): Promise<MeasuredMedia>;
  /** Sets the delays of the providers, and makes the model always answer the same. */
  delayProviders(delays: Delays): Promise<void>;
  stop(): Promise<void>;
}

export interface MeasuredMedia {
  pid: number | null;
  role: MeasuredRole;
  metricsUrl: string;
  /** `kill -9`. */
  kill(): void;
  stop(): Promise<void>;
}

/** About four and a half seconds of simulated speech, so that a turn is one of about 8 s. */
const reply = 'Of course, I can look into that. Is there anything else about your visit?';

/** Raises the limits that protect a customer from mistakes. */
const wide = { PARLANCE_CALL_LIMIT: '5000', PARLANCE_MEDIA_MAX_CALLS: '2000' };

export async function startMeasuredPhone(options: MeasuredServiceOptions): Promise<MeasuredPhone> {
  const filesDirectory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  const { service, whole, worker } = await measure(
    options,
    async (given) =>
      await startPhoneService({
        ...given,
        env: { ...given.env, ...wide, OPENAI_API_KEY: llmKey, PARLANCE_FILES_DIRECTORY: filesDirectory },
      }),
  );
  const { carrier, standIns, voicesUrl } = whole;
  await whole.connect();
  await carrier.control('/emulator/limits', {
    account: 10_000,
    profile: 10_000,
    connection: 10_000,
    dialsPer5s: 10_000,
  });
  return {
    service,
    carrier,
    pids: {
      api: pidOf(whole.api),
      worker: pidOf(worker),
      mysql: listenerOn(portIn(whole.env['DATABASE_URL'])),
      temporal: listenerOn(portIn(`tcp://${whole.env['TEMPORAL_ADDRESS']}`)),
      carrier: pidOf(standIns.carrier),
      recognizer: pidOf(standIns.recognizer),
      voices: pidOf(standIns.voices),
      model: pidOf(whole.llm),
      bench: process.pid,
    },
    startMedia: async () => measuredMedia(await whole.startMedia()),
    async delayProviders({ firstTokenMs, firstAudioMs }) {
      await service.model.answerAfter(firstTokenMs, reply);
      const answer = await fetch(`${voicesUrl}/emulator/behaviors`, {
        method: 'PUT',
        body: JSON.stringify([{ firstByteDelayMs: firstAudioMs }]),
        signal: AbortSignal.timeout(10_000),
      });
      if (!answer.ok)
        throw new Error(`The simulated voices answered ${answer.status}: ${await answer.text()}`);
    },
    async stop() {
      await service.stop();
      await rm(filesDirectory, { recursive: true, force: true });
    },
  };
}

function measuredMedia(host: MediaProcess): MeasuredMedia {
  return {
    pid: pidOf(host),
    role: measured(host),
    metricsUrl: `${host.healthUrl}/metrics`,
    kill: () => void host.child.kill('SIGKILL'),
    stop: async () => void (await host.stop()),
  };
}

function pidOf({ child }: Pick<MediaProcess, 'child'>): number | null {
  return child.pid ?? null;
}

function portIn(url: string | undefined): number {
  return Number(new URL(url ?? 'tcp://none:0').port);
}
