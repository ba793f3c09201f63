import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource, type ServerKind } from '../../src/db/data-source.ts';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/connection.ts';
import { eventually, root, type RunningProcess } from '../../test/support/process.ts';
import {
  freePort,
  startWholeService,
  type WholeService,
  type WholeServiceOptions,
} from '../../test/support/whole-service.ts';
import { CpuAnswer, LagAnswer, MemoryAnswer, type Question } from './answers.ts';
import type { Api } from './conversations.ts';
import { llmKey, simulatedModel, type SimulatedModel } from './provider-time.ts';
import { startFastReceiver, type FastReceiver } from './receiver.ts';

/** A measured process. */
export interface MeasuredRole {
  /** Of the process; null once it has ended. */
  pid: number | null;
  cpuMs(): Promise<number>;
  memory(): Promise<MemoryAnswer>;
  /** The event loop delay since the last question; zeros the first time. */
  loopLag(): Promise<LagAnswer>;
}

/** The measured service: every role in a separate process, with a separate database and namespace. */
export interface MeasuredService {
  api: Api;
  roles: { api: MeasuredRole; worker: MeasuredRole };
  model: SimulatedModel;
  receiver: FastReceiver;
  /** Address of the worker's metrics. */
  workerMetricsUrl: string;
  /** The service's database, to prepare rows and to read what the service wrote. */
  db: DataSource;
  temporal: TemporalClient;
  env: Readonly<Record<string, string>>;
  /** Stops the worker and starts one in this environment, which is `roles.worker` from then on. */
  replaceWorker(env: Record<string, string>): Promise<void>;
  /** Starts another worker, which shares the work. */
  startWorkerBeside(env: Record<string, string>): Promise<{ role: MeasuredRole; stop(): Promise<void> }>;
  /** Starts another HTTP process on the service's database. */
  startBeside(file: BesideFile): Promise<Beside>;
  /** Everything that the roles have printed so far. */
  logs(): string;
  stop(): Promise<void>;
}

/**
 * A second API process, the API without Temporal, or the simplest program for the visible part of the job.
 */
export type BesideFile = 'src/api/main.ts' | 'tools/bench/direct/main.ts' | 'tools/bench/bare/main.ts';

export interface Beside {
  api: Api;
  role: MeasuredRole;
  stop(): Promise<void>;
}

export interface MeasuredServiceOptions {
  databaseKind: ServerKind;
  /** The folder for a CPU profile of every role; none when absent. */
  profileFolder?: string | undefined;
}

const asInTheImage = { MALLOC_ARENA_MAX: '2' };

const preloaded = ['tools/bootstrap/stop-with-parent.mjs', 'tools/bench/probe.ts'];

export async function startMeasuredService(options: MeasuredServiceOptions): Promise<MeasuredService> {
  const files = await mkdtemp(join(tmpdir(), 'bench-files-'));
  const { service } = await measure(
    options,
    async (given) =>
      await startWholeService({ ...given, env: { ...given.env, PARLANCE_FILES_DIRECTORY: files } }),
  );
  const stop = async (): Promise<void> => {
    await service.stop();
    await rm(files, { recursive: true, force: true });
  };
  return { ...service, stop };
}

/** The role that `start` starts, and its other results. */
export async function measure<Whole extends WholeService>(
  { databaseKind, profileFolder }: MeasuredServiceOptions,
  start: (options: WholeServiceOptions) => Promise<Whole>,
): Promise<{ service: MeasuredService; whole: Whole; worker: RunningProcess }> {
  const receiver = await startFastReceiver();
  const nodeArgs = [
    ...preloaded.flatMap((file) => ['--import', pathToFileURL(join(root, file)).href]),
    ...(profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]),
  ];
  const whole = await start({ databaseKind, nodeArgs, env: { OPENAI_API_KEY: llmKey, ...asInTheImage } });
  const healthPort = await freePort();
  const startWorker = async (more: Record<string, string> = {}): Promise<RunningProcess> => {
    const started = whole.startWorker(undefined, {
      PARLANCE_WORKER_HEALTH_PORT: String(healthPort),
      ...more,
    });
    await untilReady(`http://127.0.0.1:${healthPort}/readyz`, started);
    return started;
  };
  let worker = await startWorker();
  const db = await createDataSource({ url: whole.env['DATABASE_URL'] ?? '' });
  const temporal = createTemporalClient({
    address: whole.env['TEMPORAL_ADDRESS'] ?? '',
    namespace: whole.namespace,
  });

  const service: MeasuredService = {
    api: { url: whole.apiUrl, key: whole.apiKey },
    roles: { api: measured(whole.api), worker: measured(worker) },
    model: simulatedModel(whole.llmUrl),
    receiver,
    workerMetricsUrl: `http://127.0.0.1:${healthPort}/metrics`,
    db,
    temporal,
    env: whole.env,
    async replaceWorker(more) {
      await worker.stop(60_000);
      worker = await startWorker(more);
      service.roles.worker = measured(worker);
    },
    async startWorkerBeside(more) {
      const port = await freePort();
      const beside = whole.startWorker(undefined, { PARLANCE_WORKER_HEALTH_PORT: String(port), ...more });
      await untilReady(`http://127.0.0.1:${port}/readyz`, beside);
      return { role: measured(beside), stop: async () => void (await beside.stop(60_000)) };
    },
    async startBeside(file) {
      const port = await freePort();
      const beside = whole.startRole(file, { PARLANCE_HTTP_PORT: String(port) });
      const url = `http://127.0.0.1:${port}`;
      await untilReady(`${url}/healthz`, beside);
      return {
        api: { url, key: whole.apiKey },
        role: measured(beside),
        stop: async () => void (await beside.stop()),
      };
    },
    logs: whole.logs,
    async stop() {
      await temporal.close();
      await db.destroy();
      await whole.stop();
      await receiver.close();
    },
  };
  return { service, whole, worker };
}

async function untilReady(url: string, { output }: RunningProcess): Promise<void> {
  await eventually(`${url} answers`, async () => ((await fetch(url)).ok ? true : undefined), {
    limitMs: 60_000,
    detail: output,
  });
}

export function measured({ child }: RunningProcess): MeasuredRole {
  const ask = (question: Question) =>
    new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`A role did not answer about its ${question}`)),
        15_000,
      );
      child.once('message', (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      child.send(question);
    });
  return {
    pid: child.pid ?? null,
    cpuMs: async () => CpuAnswer.parse(await ask('cpu')).cpuMs,
    memory: async () => MemoryAnswer.parse(await ask('memory')),
    loopLag: async () => LagAnswer.parse(await ask('lag')),
  };
}
