import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiMetrics } from '../../src/api/metrics.ts';
import type { Prometheus } from '../../src/runtime/prometheus.ts';
import { createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readSamples, sumOf } from '../support/metrics-text.ts';

let database: TestDatabase;
let api: ApiUnderTest;
let prometheus: Prometheus;
let key: string;
let mysqlIsAway = false;

beforeAll(async () => {
  database = await createTestDatabase('mysql');
  const checks = {
    mysql: () => (mysqlIsAway ? Promise.reject(new Error('connection refused')) : Promise.resolve()),
  };
  prometheus = createApiMetrics({ version: '1.2.3', checks, db: database.db, withProcess: false });
  api = await startApi(database.db, { metrics: prometheus.metrics });
  ({ key } = await createTenant(database.db));
});

afterAll(async () => {
  await api.close();
  await database.drop();
});

const scrape = async () => (await prometheus.scrape()).text;

describe('requests of the API', () => {
  test('are counted and timed by pattern of the route, method and class of the status', async () => {
    await api.ask(key, 'GET', '/workflow/fetch/424242');
    await api.ask(null, 'GET', '/workflow/fetch/424242');
    await api.ask(key, 'GET', '/health');
    const text = await scrape();
    expect(
      sumOf(text, 'parlance_http_requests_total', {
        route: '/workflow/fetch/{workflow_id}',
        method: 'get',
        status_class: '4xx',
      }),
    ).toBe(2);
    expect(
      sumOf(text, 'parlance_http_requests_total', { route: '/health', method: 'get', status_class: '2xx' }),
    ).toBe(1);
    expect(
      sumOf(text, 'parlance_http_request_seconds_count', {
        route: '/workflow/fetch/{workflow_id}',
        method: 'get',
      }),
    ).toBe(2);
    expect(sumOf(text, 'parlance_http_requests_in_flight')).toBe(0);
  });

  test('put no text of a caller into a label: unknown paths, queries and verbs are `other`', async () => {
    for (const path of [
      '/+491701234567',
      '/workflow/Ada%20Lovelace',
      '/health?phone=+491701234567',
      '/x/y/z',
    ])
      await api.ask(key, 'GET', path);
    await fetch(`${api.url}/secret-path-of-a-customer`, { method: 'PROPFIND' });
    const text = await scrape();
    expect(text).not.toMatch(/1701234567|Lovelace|secret-path|propfind|424242/i);
    expect(sumOf(text, 'parlance_http_requests_total', { route: 'other', method: 'other' })).toBe(1);
    const series = readSamples(text).filter(({ name }) => name === 'parlance_http_requests_total');
    expect(new Set(series.map(({ labels }) => labels['route']))).toEqual(
      new Set([
        'other',
        '/health',
        '/workflow/fetch/{workflow_id}',
        ...series.map(({ labels }) => labels['route'] ?? '').filter((route) => route.includes('{')),
      ]),
    );
  });
});

describe('a scrape of the API', () => {
  test("has the version, the pool's connections and each dependency", async () => {
    await database.db.query('SELECT 1');
    const text = await scrape();
    expect(sumOf(text, 'parlance_build_info', { version: '1.2.3' })).toBe(1);
    expect(sumOf(text, 'parlance_mysql_connections', { connection: 'idle' })).toBeGreaterThan(0);
    expect(sumOf(text, 'parlance_mysql_waiting')).toBe(0);
    expect(sumOf(text, 'parlance_dependency_up', { dependency: 'mysql' })).toBe(1);
  });

  test('is answered while MySQL is unavailable, and shows it', async () => {
    mysqlIsAway = true;
    expect(sumOf(await scrape(), 'parlance_dependency_up', { dependency: 'mysql' })).toBe(0);
    mysqlIsAway = false;
  });

  test('counts a connection with a running query as used', async () => {
    const sleeping = database.db.query('SELECT SLEEP(0.3)');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sumOf(await scrape(), 'parlance_mysql_connections', { connection: 'used' })).toBe(1);
    await sleeping;
  });
});
