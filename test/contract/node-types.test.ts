import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nodeTypeHandlers } from '../../src/api/routes/node-types.ts';
import { nodeTypes } from '../../src/domain/graph/catalog/node-specs.ts';
import { createEchoApp, echoHandlers, serveApp, type ServedApp } from '../support/api-server.ts';

let server: ServedApp;
beforeAll(async () => {
  server = await serveApp(
    createEchoApp({ handlers: { ...echoHandlers(), ...nodeTypeHandlers() }, checkAnswers: true }),
  );
});
afterAll(() => server.close());

const ask = async (path: string, key = 'good') => {
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { 'x-api-key': key } });
  return { status: answer.status, body: await answer.json() };
};

describe('the catalog over HTTP (contract 14.2)', () => {
  test('returns the list, and each entry by its name', async () => {
    expect(await ask('/node-types')).toEqual({ status: 200, body: JSON.parse(JSON.stringify(nodeTypes())) });
    for (const spec of nodeTypes().node_types)
      expect(await ask(`/node-types/${spec.name}`)).toEqual({
        status: 200,
        body: JSON.parse(JSON.stringify(spec)),
      });
  });

  test.each(['zzz', 'StartCall', '__proto__'])('%s is 404', async (name) => {
    expect(await ask(`/node-types/${name}`)).toMatchObject({
      status: 404,
      body: { detail: `Unknown node type: '${name}'` },
    });
  });

  test('requires credentials', async () => {
    expect((await ask('/node-types', '')).status).toBe(401);
  });
});
