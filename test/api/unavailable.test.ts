import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/db/data-source.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { UnavailableError } from '../../src/domain/errors.ts';
import {
  answeringCalls,
  idAt,
  completeGraph,
  createTenant,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let throughProxy: DataSource;
let api: ApiUnderTest;
let key: string;
let agentId: string;

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  const url = new URL(database.url);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  throughProxy = await createDataSource({ url: url.href, poolSize: 4 });
  api = await startApi(throughProxy);
  key = (await createTenant(database.db)).key;
  agentId = idAt(
    (
      await api.ask(key, 'POST', '/workflow/create/definition', {
        name: 'a',
        workflow_definition: completeGraph(),
      })
    ).body,
    'id',
  );
});
afterAll(async () => {
  await api.close();
  await throughProxy.destroy();
  await proxy.close();
  await database.drop();
});

describe('an unavailable dependency', () => {
  test('without MySQL every request is 503 with Retry-After, readiness names MySQL, and requests succeed after its return', async () => {
    await proxy.cut();
    for (const [method, path, body] of [
      ['GET', '/workflow/fetch'],
      ['PUT', `/workflow/${agentId}`, { name: 'b' }],
      ['POST', `/workflow/${agentId}/text-chat/sessions`, {}],
    ] as const) {
      const answer = await api.ask(key, method, path, body);
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    const readiness = await fetch(`${api.url}/readyz`);
    expect([readiness.status, await readiness.json()]).toMatchObject([
      503,
      { ready: false, checks: { mysql: expect.not.stringMatching(/^ok$/) } },
    ]);
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);

    await proxy.mend();
    expect(await api.ask(key, 'GET', `/workflow/fetch/${agentId}`)).toMatchObject({
      status: 200,
      body: { name: 'a' },
    });
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  });

  test('a request without credentials or with malformed JSON needs no MySQL', async () => {
    await proxy.cut();
    try {
      expect((await api.ask(null, 'GET', '/workflow/fetch')).status).toBe(401);
      expect((await api.ask(key, 'POST', '/workflow/create/definition', '{')).status).toBe(422);
      expect((await api.ask(null, 'GET', '/health')).status).toBe(200);
    } finally {
      await proxy.mend();
    }
  });

  test('without Temporal a text session is 503 with Retry-After, and its call never runs', async () => {
    const away = {
      ...answeringCalls,
      openTextSession: () =>
        Promise.reject(new UnavailableError('Temporal is not available', { dependency: 'temporal' })),
    };
    const cutOff = await startApi(database.db, { calls: away });
    try {
      const answer = await cutOff.ask(key, 'POST', `/workflow/${agentId}/text-chat/sessions`, {
        name: 'never',
      });
      expect(answer).toMatchObject({
        status: 503,
        body: { detail: 'Temporal is not available', code: 'unavailable' },
      });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await database.db.getRepository(calls).findBy({ name: 'never' })).toMatchObject([
        { state: 'refused' },
      ]);
    } finally {
      await cutOff.close();
    }
  });
});
