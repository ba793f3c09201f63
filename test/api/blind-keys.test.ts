import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calls } from '../../src/db/tables/calls.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

/** A key with the scope calls:trigger and without read must not read conversations. */
describe.each(databases)('a key that may only start calls, on %s,', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: { organizationId: number; key: string };
  let agentId = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    owner = await createTenant(database.db);
    const agent = await api.ask(owner.key, 'POST', '/workflow/create/definition', {
      name: 'Agent',
      workflow_definition: completeGraph(),
    });
    agentId = Number(idAt(agent.body, 'id'));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const makeKey = async (...scopes: string[]) =>
    String(at((await api.ask(owner.key, 'POST', '/user/api-keys', { name: 'Key', scopes })).body, 'api_key'));
  const sessions = () => `/workflow/${agentId}/text-chat/sessions`;
  const secretContext = { first_name: 'context-of-the-call' };
  /** Starts a session with three turns. */
  async function startSession(key: string): Promise<number> {
    const { body } = await api.ask(key, 'POST', sessions(), { initial_context: secretContext });
    const callId = Number(idAt(body, 'workflow_run_id'));
    for (const turnIndex of [0, 1, 2]) {
      const createdAt = new Date();
      await database.db.getRepository(turns).insert({
        uuid: randomUUID(),
        organizationId: owner.organizationId,
        callId,
        branch: 0,
        turnIndex,
        userText: `said in turn ${turnIndex}`,
        userAt: createdAt,
        replyText: `replied in turn ${turnIndex}`,
        replyAt: createdAt,
        lines: [],
        toolRounds: null,
        events: [],
        usage: {},
        checkpoint: { ...initialCheckpoint, turnIndex },
        createdAt,
      });
    }
    await database.db.query(
      `UPDATE text_sessions SET checkpoint = '${JSON.stringify({ ...initialCheckpoint, turnIndex: 2 })}' WHERE call_id = ${callId}`,
    );
    await database.db
      .getRepository(calls)
      .update({ id: callId }, { gatheredContext: { name: 'gathered-of-the-call' } });
    return callId;
  }
  const requests = [
    ['messages', { text: 'Hello' }],
    ['rewind', {}],
    ['end', {}],
  ] as const;

  // guarantee: blind-key-uses-own-sessions
  test('finds no session that another caller started', async () => {
    const key = await makeKey('calls:trigger');
    for (const other of [owner.key, await makeKey('calls:trigger')]) {
      const id = await startSession(other);
      for (const [act, body] of requests)
        expect(await api.ask(key, 'POST', `${sessions()}/${id}/${act}`, body)).toMatchObject({
          status: 404,
          body: { detail: 'Text chat session not found' },
        });
    }
  });

  // guarantee: blind-key-sees-new-turn
  test('gets the new turn of its own session, and nothing else of the conversation', async () => {
    const key = await makeKey('calls:trigger');
    const id = await startSession(key);
    for (const [act, body] of requests) {
      const { status, body: shown } = await api.ask(key, 'POST', `${sessions()}/${id}/${act}`, body);
      expect({ act, status }).toEqual({ act, status: 200 });
      const text = JSON.stringify(shown);
      expect(text).not.toMatch(/turn [01]|of-the-call/);
      expect(text.includes('replied in turn 2')).toBe(act !== 'end');
    }
  });

  test('gets nothing of a session that a repeated Idempotency-Key of another caller names', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const start = (key: string) => api.send({ 'x-api-key': key, ...headers }, 'POST', sessions(), {});
    const made = await start(owner.key);
    expect(made.status).toBe(200);
    const again = await start(await makeKey('calls:trigger'));
    expect(at(again.body, 'workflow_run_id')).not.toBe(idAt(made.body, 'workflow_run_id'));
  });

  test.each([['read', 'people:read', 'calls:trigger'], ['admin']])(
    'sees the whole conversation with %s',
    async (...scopes) => {
      const id = await startSession(owner.key);
      const { body } = await api.ask(await makeKey(...scopes), 'POST', `${sessions()}/${id}/messages`, {
        text: 'Hello',
      });
      expect(JSON.stringify(body)).toContain('replied in turn 0');
      expect(JSON.stringify(body)).toContain('gathered-of-the-call');
    },
  );
});
