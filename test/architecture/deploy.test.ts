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
  const ofTheCLibrary = 'MALLOC_ARENA_MAX';
  for (const [, service] of own)
    expect([...Object.keys(Environment.shape), ofTheCLibrary]).toEqual(
      expect.arrayContaining(Object.keys(service.environment ?? {})),
    );
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
