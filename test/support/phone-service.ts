import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { eventually, type RunningProcess } from './process.ts';
import { freePort, startWholeService, type WholeService, type WholeServiceOptions } from './whole-service.ts';
import type { PersonaInput } from '../../emulators/carrier/persona.ts';

/**
 * The whole service with the simulators of a phone call, each in a separate process. Tests check what the
 * simulators heard and did.
 */
export interface PhoneService extends WholeService {
  carrier: SimulatedCarrier;
  /** The address that sets the behavior of the simulated voices. */
  voicesUrl: string;
  standIns: { carrier: RunningProcess; recognizer: RunningProcess; voices: RunningProcess };
  /** Starts another media host on a separate port. */
  startMedia(env?: Record<string, string>): Promise<MediaProcess>;
  /** Connects the organization to the carrier, with one number, and answers its id. */
  connect(): Promise<{ configurationId: number; numberId: number; number: string }>;
}

export interface MediaProcess extends RunningProcess {
  /** The address of its health checks and metrics. */
  healthUrl: string;
}

export interface LogEntry {
  n: number;
  /** Milliseconds since 1970. */
  at: number;
  type: string;
  legId?: string;
  [key: string]: unknown;
}

export interface SimulatedCarrier {
  url: string;
  /** Sets the personas that answer the number: `+` and digits. */
  setPersonas(number: string, personas: readonly PersonaInput[]): Promise<void>;
  log(filter?: { leg?: string; type?: string; after?: number }): Promise<LogEntry[]>;
  /** Calls one of our numbers. */
  callIn(call: { from: string; to: string; persona?: PersonaInput }): Promise<void>;
  control(path: string, body: unknown): Promise<unknown>;
}

/** Daily limits that no test reaches by the number of its calls. */
const wideDay = {
  PARLANCE_DEFAULT_MAX_CALLS_PER_DAY: '1000000',
  PARLANCE_DEFAULT_MAX_CALL_MINUTES_PER_DAY: '1000000',
  PARLANCE_MAX_MODEL_REQUESTS_PER_DAY: '10000000',
  PARLANCE_MAX_VOICE_MINUTES_PER_DAY: '1000000',
};

const Log = z.object({
  entries: z.array(
    z.looseObject({ n: z.number(), at: z.number(), type: z.string(), legId: z.string().optional() }),
  ),
});

export async function startPhoneService(options: WholeServiceOptions = {}): Promise<PhoneService> {
  const [carrierPort, sttPort, ttsPort, voicesPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const carrierUrl = `http://127.0.0.1:${carrierPort}`;
  const files = mkdtempSync(join(tmpdir(), 'parlance-calls-'));
  const service = await startWholeService({
    ...options,
    env: {
      PARLANCE_FILES_DIRECTORY: files,
      TELNYX_API_URL: `${carrierUrl}/v2`,
      STT_PROVIDER: 'telnyx',
      TELNYX_STT_URL: `ws://127.0.0.1:${sttPort}/v2/speech-to-text/transcription`,
      TELNYX_API_KEY: 'simulated',
      TTS_PROVIDER: 'google',
      GOOGLE_TTS_ENDPOINT: `http://127.0.0.1:${ttsPort}`,
      PARLANCE_CALL_LIMIT: '1000',
      ...wideDay,
      ...options.env,
    },
  });
  const stop = async () => {
    await service.stop();
    rmSync(files, { recursive: true, force: true });
  };
  try {
    const carrier = service.startRole('emulators/carrier/main.ts', {
      PARLANCE_EMULATOR_CARRIER_PORT: String(carrierPort),
      PARLANCE_EMULATOR_CARRIER_KEY_SEED: service.namespace,
    });
    const recognizer = service.startRole('emulators/stt/main.ts', {
      PARLANCE_EMULATOR_STT_PORT: String(sttPort),
    });
    const voices = service.startRole('emulators/tts/main.ts', {
      PARLANCE_EMULATOR_TTS_PORT: String(voicesPort),
      PARLANCE_EMULATOR_TTS_GOOGLE_PORT: String(ttsPort),
    });
    await eventually(
      'the carrier answers',
      async () => ((await fetch(`${carrierUrl}/health`).catch(() => null))?.ok === true ? true : undefined),
      { detail: () => service.logs() },
    );
    const standIns = { carrier, recognizer, voices };
    return {
      ...service,
      stop,
      carrier: carrierAt(carrierUrl),
      standIns,
      voicesUrl: `http://127.0.0.1:${voicesPort}`,
      startMedia: (env = {}) => startMedia(service, env),
      connect: () => connect(service, carrierUrl),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startMedia(service: WholeService, env: Record<string, string>): Promise<MediaProcess> {
  const [port, healthPort] = [await freePort(), await freePort()];
  const running = service.startRole('src/media/main.ts', {
    PARLANCE_MEDIA_PORT: String(port),
    PARLANCE_MEDIA_HEALTH_PORT: String(healthPort),
    PARLANCE_MEDIA_PUBLIC_URL: `ws://127.0.0.1:${port}`,
    ...env,
  });
  const healthUrl = `http://127.0.0.1:${healthPort}`;
  await eventually(
    'the media host is ready',
    async () => ((await fetch(`${healthUrl}/readyz`).catch(() => null))?.ok === true ? true : undefined),
    { detail: () => running.output() },
  );
  return { ...running, healthUrl };
}

const Made = z.looseObject({ id: z.int() });
const ownNumber = '+12025550100';

async function connect(
  service: WholeService,
  carrierUrl: string,
): Promise<{ configurationId: number; numberId: number; number: string }> {
  const { publicKey } = z
    .object({ publicKey: z.string() })
    .parse(await (await fetch(`${carrierUrl}/emulator/public-key`)).json());
  const config = { provider: 'telnyx', api_key: 'simulated-key', webhook_public_key: publicKey };
  const connection = Made.parse(
    (await service.request('POST', '/organizations/telephony-configs', { name: 'Simulated carrier', config }))
      .body,
  );
  const number = Made.parse(
    (
      await service.request('POST', `/organizations/telephony-configs/${connection.id}/phone-numbers`, {
        address: ownNumber,
      })
    ).body,
  );
  return { configurationId: connection.id, numberId: number.id, number: ownNumber };
}

/** The control of a simulated carrier that runs in some process. */
export function carrierAt(url: string): SimulatedCarrier {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok)
      throw new Error(`the simulated carrier answers ${answer.status} to ${path}: ${await answer.text()}`);
    return await answer.json();
  };
  return {
    url,
    control: post,
    setPersonas: async (number, personas) => void (await post('/emulator/personas', { number, personas })),
    callIn: async (call) => void (await post('/emulator/inbound', call)),
    log: async (filter = {}) => {
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
      );
      return Log.parse(await (await fetch(`${url}/emulator/log?${query.toString()}`)).json()).entries;
    },
  };
}
