import { join, relative } from 'node:path';
import { buildConsole } from '../../tools/bootstrap/console-build.mjs';
import {
  carrierAt,
  startPhoneService,
  type MediaProcess,
  type PhoneService,
  type SimulatedCarrier,
} from './phone-service.ts';
import { eventually, root, runNode, type RunningProcess } from './process.ts';
import { freePort } from './whole-service.ts';

/** The service that the browser uses, with a worker, a media host and the simulators of a phone call. */
export interface ConsoleService {
  apiUrl: string;
  carrier: SimulatedCarrier;
  /** The environment of its processes. */
  env: Record<string, string>;
}

const variable = 'PARLANCE_TEST_CONSOLE_SERVICE';

/** What a test process needs to know of a service that another process started. */
type Handed = Pick<ConsoleService, 'apiUrl' | 'env'> & { carrierUrl: string };

/** Builds the console and starts its service, with one media host. */
export async function startConsoleService(): Promise<
  ConsoleService & Pick<PhoneService, 'logs' | 'stop' | 'startMedia'> & { media: MediaProcess }
> {
  await buildConsole();
  const service = await startPhoneService({
    env: { PARLANCE_MAX_SIGNUPS_PER_HOUR: '10000' }, // each test file has people of its own
  });
  try {
    service.startWorker();
    return { ...service, media: await service.startMedia() };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Makes the service that of all test files of this run. */
export function shareConsoleService({ apiUrl, carrier, env }: ConsoleService): void {
  const handed: Handed = { apiUrl, env, carrierUrl: carrier.url };
  process.env[variable] = JSON.stringify(handed);
}

/** The service of this run, which all test files of the console use. */
export function sharedConsoleService(): ConsoleService {
  const handed = process.env[variable];
  if (handed === undefined)
    throw new Error(`${variable} is not set: the jest project "console" starts the service of these tests`);
  const { apiUrl, env, carrierUrl }: Handed = JSON.parse(handed);
  return { apiUrl, env, carrier: carrierAt(carrierUrl) };
}

/** Another API process of the same installation, on a port of its own, for a test that kills it. */
export interface FurtherApi {
  url: string;
  kill: () => Promise<void>;
  /** Starts it again on the same port. */
  start: () => Promise<void>;
}

/** With `folder`, it runs the code of a copy of this project. */
export async function startFurtherApi(service: ConsoleService, folder = root): Promise<FurtherApi> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let running: RunningProcess | undefined;
  const start = async () => {
    const started = runNode(relative(root, join(folder, 'src/api/main.ts')), {
      env: { ...service.env, PARLANCE_HTTP_PORT: String(port), PARLANCE_PUBLIC_URL: url },
    });
    running = started;
    await eventually(
      'the further API is ready',
      async () => ((await fetch(`${url}/readyz`)).ok ? true : undefined),
      { detail: () => started.output() },
    );
  };
  const kill = async () => {
    running?.child.kill('SIGKILL');
    await running?.ended;
  };
  try {
    await start();
  } catch (error) {
    await kill();
    throw error;
  }
  return { url, kill, start };
}
