import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { Environment } from '../../src/config/env.ts';
import { workerRoles } from '../../src/domain/declaration.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const Compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string().optional(),
      mem_limit: z.string().regex(/^\d+[mg]$/),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.unknown()).optional(),
      volumes: z.array(z.string()).optional(),
      depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
    }),
  ),
});
const { services } = Compose.parse(parse(text, { merge: true }));
const own = Object.entries(services).filter(([, service]) => service.command?.[0] === 'node');

test('every role of docker-compose.yml starts a file that exists', () => {
  expect(own.map(([name]) => name).toSorted()).toEqual([
    'api',
    'importer',
    'media',
    'migrate',
    'temporal-apply',
    'worker',
  ]);
  for (const [, service] of own) expect(existsSync(join(root, service.command?.at(-1) ?? ''))).toBe(true);
});

test('docker-compose.yml sets only variables that the service reads', () => {
  for (const [, service] of own)
    expect(Object.keys(Environment.shape)).toEqual(
      expect.arrayContaining(Object.keys(service.environment ?? {})),
    );
});

/** What the containers and the image set themselves, because other lines of the files depend on it. */
const ofTheContainer = [
  'PARLANCE_HTTP_HOST',
  'PARLANCE_HTTP_PORT',
  'PARLANCE_WORKER_HEALTH_PORT',
  'PARLANCE_METRICS_PORT',
  'PARLANCE_MEDIA_PORT',
  'PARLANCE_MEDIA_HEALTH_PORT',
  'PARLANCE_WORKFLOW_BUNDLE',
];
const decrypting = ['api', 'worker', 'media'];
const keys = ['PARLANCE_ENCRYPTION_KEYS', 'PARLANCE_PAYLOAD_KEYS', 'PARLANCE_CODEC_TOKEN'];

test('docker-compose.yml passes every variable of .env.example through', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const known = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  expect(known.length).toBeGreaterThan(60);
  const set = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'PARLANCE_WORKER_ROLES', ...ofTheContainer];
  for (const name of known.filter((each) => !set.includes(each)))
    for (const role of keys.includes(name) ? decrypting : [...decrypting, 'importer'])
      expect([role, name, String(services[role]?.environment?.[name])]).toEqual([
        role,
        name,
        expect.stringContaining(`\${${name}:`),
      ]);
});

test('encryption keys go to the roles that decrypt alone; the importer decrypts only payloads in Temporal', () => {
  for (const [name, { environment = {} }] of Object.entries(services))
    expect([name, keys.filter((key) => Object.hasOwn(environment, key))]).toEqual([
      name,
      decrypting.includes(name) ? keys : name === 'importer' ? ['PARLANCE_PAYLOAD_KEYS'] : [],
    ]);
});

test('no container gains rights, and none writes to a file of its image', () => {
  const rights = { cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], read_only: true };
  for (const [name, service] of Object.entries(services)) {
    // Sorts of large tables do not fit into memory, so MySQL's temporary files are on a volume.
    const tmpfs = [name === 'mysql' ? '/var/run/mysqld' : '/tmp'];
    expect([name, service]).toMatchObject([name, { ...rights, tmpfs }]);
  }
  expect(services['mysql']?.volumes).toEqual(expect.arrayContaining(['mysql-tmp:/tmp']));
});

test('docker-compose.yml opens no sign-up unless .env says so', () => {
  for (const role of decrypting)
    expect(services[role]?.environment?.['PARLANCE_SIGNUP_ENABLED']).toBe(
      '${PARLANCE_SIGNUP_ENABLED:-false}',
    );
});

test('the health check of the image is a file that exists', () => {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, file = 'none'] = /^HEALTHCHECK .*CMD \["node", "([^"]+)"\]$/m.exec(image) ?? [];
  expect(existsSync(join(root, file))).toBe(true);
});

test('each worker role is run by exactly one service of docker-compose.yml', () => {
  const done = ['worker', 'importer'].flatMap((name) =>
    String(services[name]?.environment?.['PARLANCE_WORKER_ROLES'])
      .replace(/^\$\{PARLANCE_WORKER_ROLES:-(.*)\}$/, '$1')
      .split(','),
  );
  expect(done.toSorted()).toEqual(Object.keys(workerRoles).toSorted());
});

test('every file that docker-compose.yml mounts and every dependency exists', () => {
  for (const service of Object.values(services)) {
    for (const volume of service.volumes?.filter((each) => each.startsWith('./')) ?? [])
      expect(existsSync(join(root, volume.split(':')[0] ?? ''))).toBe(true);
    const needs = Array.isArray(service.depends_on)
      ? service.depends_on
      : Object.keys(service.depends_on ?? {});
    expect(Object.keys(services)).toEqual(expect.arrayContaining(needs));
  }
});

test('every container of docker-compose.yml has a memory limit, above the heap that its command asks for', () => {
  for (const service of Object.values(services)) {
    const [, amount, unit] = /^(\d+)([mg])$/.exec(service.mem_limit) ?? [];
    const limitMb = Number(amount) * (unit === 'g' ? 1024 : 1);
    const heap = service.command?.find((each) => each.startsWith('--max-old-space-size='));
    expect(limitMb).toBeGreaterThan(2 * Number(heap?.split('=')[1] ?? 0));
  }
});

test('no password or key has a value in docker-compose.yml', () => {
  for (const name of [
    'MYSQL_ROOT_PASSWORD',
    'PARLANCE_DATABASE_PASSWORD',
    'TEMPORAL_DATABASE_PASSWORD',
    'PARLANCE_ENCRYPTION_KEYS',
  ]) {
    expect(
      text.match(new RegExp(String.raw`\$\{${name}[^}]*\}`, 'g'))?.every((use) => use.includes(':?')),
    ).toBe(true);
  }
});

test('the Temporal version of npm run deploy:try is that of the images', () => {
  const pins = readFileSync(join(root, 'tools/temporal-on-mysql/go.mod'), 'utf8');
  const versionOf = (name: string) => services[name]?.image?.split(':')[1] ?? 'no image';
  expect(pins).toContain(`\tgo.temporal.io/server v${versionOf('temporal')} `);
  expect(versionOf('temporal-schema')).toBe(versionOf('temporal'));
  expect(pins).toContain(`\tgithub.com/temporalio/ui-server/v2 v${versionOf('temporal-ui')} `);
});
