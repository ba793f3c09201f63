import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { createTickets } from '../../src/providers/secrets/tickets.ts';
import { parseKeyRing } from '../../src/providers/secrets/key-ring.ts';
import { createPayloadCodec } from '../../src/temporal/payload-codec.ts';
import {
  createRemoteCodec,
  encryptedPayloads,
  type JsonPayload,
} from '../../src/temporal/payload-encryption.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { callStateQuery, transcriptQuery } from '../../src/workflows/call/messages.ts';
import { startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createCallWorld, testBundle, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { testSecrets } from '../support/database.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { temporalTestClient } from '../support/temporal.ts';

const keyOf = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey, foreignKey] = [keyOf('old'), keyOf('new'), keyOf('foreign')];
const ringOf = (...keys: string[]) => parseKeyRing(keys.join(','));
const converter = encryptedPayloads(ringOf(oldKey));

const llm = createScriptedLlm({
  before: (_request, said) => {
    if (said.includes('break')) return { fail: true };
    return said.includes('zanzibar') && !said.includes('go_on')
      ? { text: 'The answer is xylophone' }
      : undefined;
  },
  values: () => ({ day: 'quetzalday' }),
});
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm, dataConverter: converter });
  await world.startWorker();
});

afterAll(async () => {
  await world.close();
});

/** The history of a call as Temporal stores it, and as any reader of its storage sees it. */
async function storedHistory({ callUuid }: OpenSession) {
  const plain = temporalTestClient();
  try {
    return await plain.client.workflow.getHandle(callWorkflowId(callUuid)).fetchHistory();
  } finally {
    await plain.close();
  }
}

/** Every byte string of a history in plain text, base64 decoded at every depth. */
function readable(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}=${readable(each)}`)
    .join(' ');
}

const isPayload = (value: object): value is Required<JsonPayload> =>
  'metadata' in value && 'data' in value && typeof value.data === 'string';

/** Every payload of a history in the format of remote codecs. */
function payloadsIn(value: unknown): JsonPayload[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isPayload(value)) return [value];
  return Object.values(value).flatMap(payloadsIn);
}

const metadataOf = ({ metadata = {} }: JsonPayload, name: string): string =>
  Buffer.from(metadata[name] ?? '', 'base64').toString();

/** What the user and the agent said, an extracted value, a summary, a description and a failure. */
const words = ['zanzibar', 'xylophone', 'quetzalday', 'Admit the call', '| Channel | text', 'provider:'];

/**
 * One conversation with an extraction, a failed turn and an end, so with every kind of payload that a call
 * makes.
 */
async function converse(): Promise<OpenSession> {
  const session = await world.open(threeStepDefinition({ webhook: false }));
  await session.say('I live in zanzibar', 1);
  await expect(session.say('break it in zanzibar', 2)).rejects.toMatchObject({ code: 'provider' });
  await session.say('zanzibar go_on', 2);
  await session.end(3);
  return session;
}

describe('with payload encryption on', () => {
  let session: OpenSession;

  beforeAll(async () => {
    session = await converse();
    await session.completed();
    await world.temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).result();
  });

  // guarantee: temporal-payloads-encrypted
  test('Temporal stores no readable word of a conversation: inputs, Updates, results, failures, summaries and details are encrypted', async () => {
    const history = await storedHistory(session);
    for (const word of words)
      expect({ word, found: readable(history).includes(word) }).toEqual({ word, found: false });
    // Search attributes are ids, states and counts, which Temporal itself must read. The SDK's own record of a local
    // activity has its name and times; its result is encrypted.
    const inClear = payloadsIn(JSON.parse(historyToJSON(history))).filter(
      (each) => metadataOf(each, 'encoding') !== 'binary/encrypted' && metadataOf(each, 'type') === '',
    );
    const records = inClear.map(({ data = '' }): unknown =>
      JSON.parse(Buffer.from(data, 'base64').toString()),
    );
    expect(records).toEqual(
      ['admitCall', 'finalizeCall'].map((activity) => ({
        activity_type: activity,
        activity_id: expect.anything(),
        seq: expect.anything(),
        attempt: 1,
        complete_time: expect.anything(),
        original_schedule_time: expect.anything(),
        backoff: null,
      })),
    );
  });

  test('queries are answered, and their answers are encrypted in transit', async () => {
    const handle = world.temporal.client.workflow.getHandle(callWorkflowId(session.callUuid));
    expect(await handle.query(callStateQuery)).toMatchObject({ state: 'ended' });
    expect(JSON.stringify(await handle.query(transcriptQuery))).toContain('xylophone');
    const plain = temporalTestClient();
    await expect(
      plain.client.workflow.getHandle(callWorkflowId(session.callUuid)).query(transcriptQuery),
    ).rejects.toThrow('encoding');
    await plain.close();
  });

  test('the history replays with the keys and not without them', async () => {
    const history = historyFromJSON(JSON.parse(historyToJSON(await storedHistory(session))));
    const workflowBundle = await testBundle(converter.failureConverterPath);
    await expect(
      Worker.runReplayHistory({ workflowBundle, dataConverter: converter }, history),
    ).resolves.toBeUndefined();
    await expect(
      Worker.runReplayHistory(
        { workflowBundle, dataConverter: encryptedPayloads(ringOf(foreignKey)) },
        history,
      ),
    ).rejects.toThrow('Replay failed');
  });

  describe('an operator reads it through the codec endpoint', () => {
    const token = 'a-token-of-the-operators-of-this-test';
    let api: ApiUnderTest;
    let payloads: JsonPayload[];
    const bearer = { authorization: `Bearer ${token}` };

    beforeAll(async () => {
      const codec = {
        codec: createRemoteCodec(ringOf(newKey, oldKey)),
        token,
        uiUrl: 'http://temporal.example.test:8080/base',
      };
      api = await startApi(world.ctx.db, { codec, tickets: createTickets(testSecrets) });
      payloads = payloadsIn(JSON.parse(historyToJSON(await storedHistory(session))));
    });

    afterAll(async () => {
      await api.close();
    });

    test('every payload, also under a key that no longer encrypts', async () => {
      const { status, body } = await api.send(bearer, 'POST', '/temporal/codec/decode', { payloads });
      expect(status).toBe(200);
      const decoded = payloadsIn(body)
        .map(({ data = '' }) => Buffer.from(data, 'base64').toString('utf8'))
        .join('\n');
      for (const word of words)
        expect({ word, found: decoded.includes(word) }).toEqual({ word, found: true });
    });

    test('workers read what it encrypts', async () => {
      const plain = {
        metadata: { encoding: Buffer.from('json/plain').toString('base64') },
        data: Buffer.from('"hello"').toString('base64'),
      };
      const { body } = await api.send(bearer, 'POST', '/temporal/codec/encode', { payloads: [plain] });
      const [encoded] = payloadsIn(body);
      expect(Buffer.from(encoded?.metadata?.['encoding'] ?? '', 'base64').toString()).toBe(
        'binary/encrypted',
      );
      expect(await createRemoteCodec(ringOf(newKey)).decode(encoded === undefined ? [] : [encoded])).toEqual([
        plain,
      ]);
    });

    test('a request without payloads, which the CLI sends for an empty result, gets an answer without payloads', async () => {
      expect(await api.send(bearer, 'POST', '/temporal/codec/decode', {})).toMatchObject({
        status: 200,
        body: { payloads: [] },
      });
    });

    test('refuses callers without the token, and API keys', async () => {
      const attempts: Record<string, string>[] = [
        {},
        { authorization: 'Bearer wrong' },
        { cookie: 'parlance_codec=v1.a.b.c' },
        { 'x-api-key': token },
      ];
      for (const headers of attempts) {
        expect(await api.send(headers, 'POST', '/temporal/codec/decode', { payloads })).toMatchObject({
          status: 401,
          body: { code: 'unauthenticated' },
        });
      }
    });

    test('accepts the cookie of a sign-in, which only pages of the same site send', async () => {
      const signIn = (secret: string) =>
        fetch(`${api.url}/api/v1/temporal/codec/sign-in`, {
          method: 'POST',
          body: new URLSearchParams({ token: secret }),
        });
      expect((await signIn('wrong')).status).toBe(401);
      const cookie = (await signIn(token)).headers.get('set-cookie') ?? '';
      expect(cookie).toMatch(/; Path=\/api\/v1\/temporal\/codec; HttpOnly; SameSite=Strict; Max-Age=43200$/);
      expect(
        (
          await api.send({ cookie: cookie.split(';', 1).join('') }, 'POST', '/temporal/codec/decode', {
            payloads: [],
          })
        ).status,
      ).toBe(200);
    });

    test('allows pages of Temporal UI and no other origin', async () => {
      const ask = (origin: string, method: string) =>
        fetch(`${api.url}/api/v1/temporal/codec/decode`, {
          method,
          headers: { origin, ...bearer },
          ...(method === 'POST' ? { body: JSON.stringify({ payloads: [] }) } : {}),
        });
      for (const method of ['OPTIONS', 'POST']) {
        const [own, other] = [
          await ask('http://temporal.example.test:8080', method),
          await ask('http://other.example.test', method),
        ];
        expect(own.ok).toBe(true);
        expect([
          own.headers.get('access-control-allow-origin'),
          own.headers.get('access-control-allow-credentials'),
        ]).toEqual(['http://temporal.example.test:8080', 'true']);
        expect([
          other.headers.get('access-control-allow-origin'),
          other.headers.get('access-control-allow-credentials'),
        ]).toEqual([null, null]);
      }
    });

    test('refuses a body of another shape, and names a missing key', async () => {
      expect(
        await api.send(bearer, 'POST', '/temporal/codec/decode', { payloads: [{ data: '%' }] }),
      ).toMatchObject({ status: 400 });
      const lost = await createRemoteCodec(ringOf(foreignKey)).encode([{ metadata: {}, data: '' }]);
      expect(await api.send(bearer, 'POST', '/temporal/codec/decode', { payloads: lost })).toMatchObject({
        status: 409,
        body: { detail: 'The payload key foreign is not in PARLANCE_PAYLOAD_KEYS' },
      });
    });
  });

  test('does not exist without a codec token', async () => {
    const api = await startApi(world.ctx.db);
    expect((await api.send({}, 'POST', '/temporal/codec/decode', { payloads: [] })).status).toBe(404);
    await api.close();
  });
});

describe('rotation of payload keys', () => {
  test('a call that began under the old key continues when workers and clients encrypt with the new one', async () => {
    const rotating = await createCallWorld({ llm, dataConverter: converter });
    const first = await rotating.startWorker();
    const session = await rotating.open(threeStepDefinition({ webhook: false }));
    await first.stop();
    await rotating.startWorker({ dataConverter: encryptedPayloads(ringOf(newKey, oldKey)) });
    await session.say('I live in zanzibar', 1).catch(() => undefined); // its answer uses the new key, which this client lacks
    expect((await session.read()).revision).toBe(2);
    const keyIds = payloadsIn(JSON.parse(historyToJSON(await storedHistory(session)))).map((each) =>
      metadataOf(each, 'encryption-key-id'),
    );
    expect(new Set(keyIds.filter((each) => each !== ''))).toEqual(new Set(['old', 'new']));
    await rotating.close();
  });

  test('payloads from before encryption stay readable', async () => {
    const plain = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('1') };
    expect(await createPayloadCodec(ringOf(newKey)).decode([plain])).toEqual([plain]);
  });

  test('a payload that was changed, or relabeled, is refused', async () => {
    const codec = createPayloadCodec(ringOf(newKey, oldKey));
    const [sealed] = await codec.encode([{ metadata: {}, data: Buffer.from('1') }]);
    const changed = Buffer.from(sealed?.data ?? []);
    changed[15] = (changed[15] ?? 0) ^ 1;
    await expect(codec.decode([{ ...sealed, data: changed }])).rejects.toMatchObject({
      code: 'precondition',
    });
    await expect(
      codec.decode([
        { ...sealed, metadata: { ...sealed?.metadata, 'encryption-key-id': Buffer.from('old') } },
      ]),
    ).rejects.toMatchObject({ code: 'precondition' });
  });
});
