import { describe, expect, test } from '@jest/globals';
import { runNode } from '../support/process.ts';

/** No server is at these addresses: faults of the configuration are reported before any connection. */
const min = {
  DATABASE_URL: 'mysql://nobody@127.0.0.1:9/nothing',
  TEMPORAL_ADDRESS: '127.0.0.1:9',
  PARLANCE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  PARLANCE_HTTP_PORT: '0',
  PARLANCE_METRICS_PORT: '0',
  PARLANCE_WORKER_HEALTH_PORT: '0',
};

const faults: [string, string, RegExp][] = [
  [
    'PARLANCE_ENCRYPTION_KEYS',
    'hunter2',
    /PARLANCE_ENCRYPTION_KEYS: .*not of the form id:base64; .*openssl rand -base64 32/,
  ],
  [
    'PARLANCE_PAYLOAD_KEYS',
    'k1:aHVudGVyMg==',
    /PARLANCE_PAYLOAD_KEYS: .*7 bytes instead of 32; .*openssl rand -base64 32/,
  ],
  [
    'PARLANCE_ALLOWED_PRIVATE_HOSTS',
    'http://crm.internal/hooks',
    /PARLANCE_ALLOWED_PRIVATE_HOSTS: "http:\/\/crm.internal\/hooks" .*leave out scheme and path/,
  ],
];

test('a worker that decrypts does not start without keys: it names the roles', async () => {
  const running = runNode('src/worker/main.ts', {
    env: { ...min, PARLANCE_ENCRYPTION_KEYS: '', PARLANCE_WORKER_ROLES: 'import,call' },
  });
  expect(await running.ended).toMatchObject({ code: 1 });
  expect(running.output()).toMatch(/PARLANCE_ENCRYPTION_KEYS: is not set, but .* the roles call /);
});

describe.each(['src/api/main.ts', 'src/worker/main.ts'])('%s', (file) => {
  test.each(faults)(
    'refuses to start with an unusable %s: it names the variable and a valid form, and shows no key',
    async (name, value, said) => {
      const running = runNode(file, { env: { ...min, [name]: value } });
      expect(await running.ended).toMatchObject({ code: 1 });
      expect(running.output()).toMatch(said);
      expect(running.output()).not.toMatch(/hunter2|aHVudGVyMg/);
    },
  );
});
