import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bundleOf, entries } from '../../../tools/bootstrap/bundle-roles.mjs';
import { run } from '../../../tools/bootstrap/command.mjs';
import { seededKey } from '../../../tools/bootstrap/prepare.mjs';
import { root } from '../../../tools/bootstrap/project.mjs';
import { askRunning, takeLock } from '../../../tools/bootstrap/run-lock.mjs';
import { keptSecret, randomKeyRing } from '../../../tools/bootstrap/secrets.mjs';
import {
  isSimulated,
  llmVariables,
  privateHosts,
  receiverPortOf,
  simulatedVendors,
} from '../../../tools/bootstrap/start-environment.mjs';
import { rolesOf } from '../../../tools/bootstrap/roles.mjs';
import { nextDelay } from '../../../tools/bootstrap/supervisor.mjs';
import { socketPath } from '../../../tools/bootstrap/socket-path.mjs';
import { devServerArgs } from '../../../tools/bootstrap/temporal.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a role that ends', () => {
  test('is restarted at once, then with growing delays of up to five seconds', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6].reduce<number[]>(
      (all) => [...all, nextDelay(100, all.at(-1) ?? 0)],
      [],
    );
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
  });

  test('is restarted at once when it had run for long', () => {
    expect(nextDelay(60_000, 5000)).toBe(250);
  });
});

describe('one start per project', () => {
  test('tells a second start what is running, and lets it run once the first has ended', async () => {
    const socket = { path: join(folder, 'start.sock'), moved: false };
    expect(await askRunning(socket)).toBeNull();
    const first = await takeLock(socket);
    Object.assign(first.state ?? {}, { phase: 'running', apiUrl: 'http://localhost:8000' });
    expect((await takeLock(socket)).held).toMatchObject({
      phase: 'running',
      apiUrl: 'http://localhost:8000',
      pid: process.pid,
    });
    await first.release?.();
    const third = await takeLock(socket);
    expect(third.held).toBeUndefined();
    await third.release?.();
  });
});

describe('a secret of the development machine', () => {
  test('is created once, and only its owner can read it', () => {
    const file = join(folder, 'deep', 'keys');
    const made = keptSecret(file, randomKeyRing);
    expect(keptSecret(file, () => 'another')).toBe(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of encryption is 32 bytes with an id', () => {
    const [id, key] = randomKeyRing().split(':');
    expect(id).toMatch(/^\w+$/);
    expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32);
  });
});

describe('the language model of npm start', () => {
  test('is simulated, with a key that shows it, until a real one is set', () => {
    expect(isSimulated({})).toBe(true);
    expect(llmVariables({}, 8002)).toEqual({
      OPENAI_API_KEY: 'simulated',
      OPENAI_BASE_URL: 'http://127.0.0.1:8002/v1',
      PARLANCE_EMULATOR_LLM_PORT: '8002',
    });
  });

  test('is the real one as soon as its key is set', () => {
    expect(llmVariables({ OPENAI_API_KEY: 'sk-1' }, 8002)).toEqual({ OPENAI_API_KEY: 'sk-1' });
  });

  test('may be a local endpoint that needs no key', () => {
    expect(llmVariables({ OPENAI_BASE_URL: 'http://localhost:11434/v1' }, 8002)).toEqual({
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: 'http://localhost:11434/v1',
    });
  });
});

describe('the vendors of phone calls under npm start', () => {
  test('are simulated until their keys or other addresses are set, each on its own', () => {
    expect(simulatedVendors({})).toEqual({ carrier: true, recognition: true, voices: true });
    expect(simulatedVendors({ TELNYX_API_KEY: 'KEY' })).toEqual({
      carrier: false,
      recognition: false,
      voices: true,
    });
    expect(simulatedVendors({ GOOGLE_APPLICATION_CREDENTIALS: '/etc/google.json' })).toEqual({
      carrier: true,
      recognition: true,
      voices: false,
    });
    expect(
      simulatedVendors({ STT_PROVIDER: 'openai', TTS_PROVIDER: 'openai', OPENAI_API_KEY: 'sk-1' }),
    ).toEqual({ carrier: true, recognition: false, voices: false });
    expect(
      simulatedVendors({
        TELNYX_API_URL: 'http://127.0.0.1:1',
        TELNYX_STT_URL: 'ws://127.0.0.1:2',
        GOOGLE_TTS_ENDPOINT: 'http://127.0.0.1:3',
      }),
    ).toEqual({ carrier: false, recognition: false, voices: false });
  });
});

describe('the processes of npm start', () => {
  const own = ['worker', 'media', 'api'];
  const real = {
    OPENAI_API_KEY: 'sk-1',
    TELNYX_API_KEY: 'KEY',
    GOOGLE_APPLICATION_CREDENTIALS: '/etc/google.json',
  };
  test.each([
    ['all vendors', {}, ['simulated', ...own]],
    ['only the language model', { ...real, OPENAI_API_KEY: '' }, ['simulated', ...own]],
    ['only the voices', { ...real, GOOGLE_APPLICATION_CREDENTIALS: '' }, ['simulated', ...own]],
    ['no vendor', real, own],
  ])('simulate %s in at most one of them, the last to stop', (_, env, names) => {
    expect(rolesOf(env, {}).map(({ name }) => name)).toEqual(names);
  });

  test('run from bundles that are made before', () => {
    const files = rolesOf({}, {}).map(({ file }) => file);
    expect(entries.map(bundleOf)).toEqual(expect.arrayContaining(files));
  });
});

describe("the private hosts of npm start, which all organizations' URLs reach", () => {
  test("are only the demonstration's receiver, with its port", () => {
    expect(privateHosts({}, 8009)).toBe('127.0.0.1:8009');
    expect(privateHosts({ OPENAI_BASE_URL: 'http://localhost:11434/v1' }, 8009)).toBe('127.0.0.1:8009');
  });

  // guarantee: start-lets-urls-reach-no-private-host
  test.each(['PARLANCE_PUBLIC_URL', 'OPENAI_API_KEY', 'TELNYX_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'])(
    'are none once %s is set',
    (name) => {
      expect(privateHosts({ [name]: 'set' }, 8009)).toBe('');
    },
  );

  test.each([
    ['127.0.0.1:8009', 'URLs of organizations reach these private hosts: 127.0.0.1:8009 '],
    ['', 'URLs of organizations reach no private host '],
  ])('are said at each start: %j', async (hosts, words) => {
    // A copy is a project of its own. Its start finds that project running, and says what the first one said.
    cpSync(join(root, 'tools', 'bootstrap'), join(folder, 'tools', 'bootstrap'), { recursive: true });
    const running = await takeLock(socketPath(join(folder, '.parlance', 'run'), 'start.sock'));
    try {
      Object.assign(running.state ?? {}, {
        phase: 'running',
        apiUrl: 'http://localhost:8000',
        uiUrl: null,
        simulated: false,
        simulatedCarrierUrl: null,
        hasConsole: false,
        privateHosts: hosts,
      });
      const start = join(folder, 'tools', 'bootstrap', 'start.mjs');
      expect(await run(process.execPath, [start])).toMatchObject({
        code: 0,
        output: expect.stringContaining(words),
      });
    } finally {
      await running.release?.();
    }
  });

  test('are those that the user names, and the demonstration only receives if it is among them', () => {
    expect(privateHosts({ PARLANCE_ALLOWED_PRIVATE_HOSTS: 'crm.internal:443' }, 8009)).toBe(
      'crm.internal:443',
    );
    expect(receiverPortOf('crm.internal:443', 8009)).toBeNull();
    expect(receiverPortOf('', 8009)).toBeNull();
    expect(receiverPortOf('crm.internal:443, 127.0.0.1:8009', 8009)).toBe(8009);
    expect(receiverPortOf('127.0.0.1:*', 8009)).toBe(8009);
  });
});

describe('the seed', () => {
  test('reports the key that it created, among the lines of its log', () => {
    expect(seededKey('{"level":"info","msg":"x"}\n{"organizationId":1,"apiKey":"pk_1"}\nnot json\n')).toBe(
      'pk_1',
    );
  });

  test.each(['{"organizationId":1,"apiKey":null}\n', '', 'null\n'])(
    'that made no key reports none: %j',
    (output) => {
      expect(seededKey(output)).toBeNull();
    },
  );
});

test('the development server of Temporal gets the namespace, its UI and the declared dynamic configuration', () => {
  const args = devServerArgs({
    namespace: 'parlance',
    port: 7233,
    uiPort: 8233,
    dbFile: '/p/dev.db',
    dynamicConfig: { 'history.rps': 5, 'a.flag': true },
  });
  expect(args).toEqual(
    expect.arrayContaining([
      '--namespace=parlance',
      '--ui-port=8233',
      '--db-filename=/p/dev.db',
      'history.rps=5',
      'a.flag=true',
    ]),
  );
  expect(args).not.toContain('--headless');
});
