import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Queries that are not narrowed to one organization, each with its reason. Whoever adds a line here says why.
 */
const unscoped: Record<string, string> = {
  'src/services/identity/seed-main.ts': 'the seed looks whether there is any organization',
  'src/services/agents/trigger-paths.ts': 'a trigger path is unique across the whole service',
  'src/services/agents/triggered-version.ts': 'whose trigger path it is tells whether a caller may use it',
  'src/services/calls/records/public-token.ts': 'the public token is the only credential',
  'src/services/telephony/events/redeliver.ts':
    'events of everybody wait; each is told inside its organization',
  'src/services/webhooks/deliveries/internal.ts':
    'the Workflow of a delivery names it by its uuid, which no caller sends; its row says whose it is',
  'src/services/campaigns/dial-policy/operator-switch.ts': 'the operator stops the campaigns of everybody',
  'src/services/kernel/idempotency/forget-expired.ts': 'keys of everybody expire',
  'src/services/identity/api-keys/authenticate.ts': 'the key says whose request it is',
  'src/services/operations/load/read.ts':
    'the operator watches the load of everybody, as counts and ages alone',
  'src/services/media/find-lost-hosts.ts': 'a lost host had calls of everybody; each is told by its own id',
  'src/services/media/find-overtaken.ts': 'a host asks for the calls that it holds itself',
  'src/services/operations/reconcile/find-orphaned-calls.ts': 'calls of everybody are held against Temporal',
  'src/services/data-lifecycle/retention/forget-dials.ts': 'dials of everybody stop to count at the same age',
  'src/services/data-lifecycle/retention/remove-unused-files.ts':
    'files of everybody are held against the directories; what no organization has is removed',
  'src/services/data-lifecycle/retention/apply.ts':
    "retention goes through everybody's policies; each call is removed inside its organization",
  'src/services/identity/users/authenticate.ts': 'the token says whose session it is',
  'src/services/identity/users/log-in.ts':
    'the email, unique across the whole service, says whose organization it is',
  'src/services/data-lifecycle/rotation/rotate.ts': "the operator's key rotation is for everybody",
  'src/services/data-lifecycle/rotation/rotate-documents.ts':
    'the same; each row is changed inside its organization',
};

const files = globSync('src/services/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));

/** Each query on a table, up to the end of its statement. */
function queriesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /getRepository\((\w+)\)[^;]*?\.(?:find\w*|count\w*|update|delete|createQueryBuilder)\([^;]*;/g,
    ),
  ]
    .filter(([, table]) => table !== 'organizations')
    .map(([query]) => query);
}

test('services are looked at, and most of them query', () => {
  expect(files.filter((file) => queriesOf(file).length > 0).length).toBeGreaterThan(10);
});

test.each(files.filter((file) => !(file in unscoped)))(
  'every query of %s is narrowed to an organization',
  (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    for (const query of queriesOf(file)) {
      const used = [...text.matchAll(/const (\w+) = [^;]*;/g)].filter(([, name]) =>
        new RegExp(`\\b${name}\\b`).test(query),
      );
      expect([query, ...used.map(([constant]) => constant)].join('\n')).toMatch(/organizationId|whereHeld/);
    }
  },
);

test('every file that is let off has a query to be let off', () => {
  expect(Object.keys(unscoped).filter((file) => !files.includes(file))).toEqual([]);
});
