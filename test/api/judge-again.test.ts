import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { insertRow, updateRows } from '../../src/db/rows.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { agents } from '../../src/db/tables/agents.ts';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { UnavailableError } from '../../src/domain/errors.ts';
import type { JudgeAgainInput } from '../../src/workflows/judging/workflow.ts';
import { createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestContext, createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { node } from '../support/definitions.ts';
import { insertEndedCall } from '../support/delivery-rows.ts';

const quality = (data: object = {}) => node('quality', 'qa', { name: 'Quality', ...data });

describe.each(databases)('judging a call again on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: { organizationId: number; key: string };
  let started: JudgeAgainInput[];
  let failure: Error | null;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    owner = await createTenant(database.db);
    api = await startApi(database.db, {
      judgings: {
        start: (input) => {
          if (failure !== null) return Promise.reject(failure);
          started.push(input);
          return Promise.resolve();
        },
      },
    });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  beforeEach(() => {
    started = [];
    failure = null;
  });

  async function endedCall(nodes: unknown[] = [quality()], changes: Partial<CallRow> = {}) {
    const { organizationId } = owner;
    const ctx = { ...(await createTestContext(database.db)), organizationId };
    const { callId, agentId } = await insertEndedCall(ctx, { nodes });
    await updateRows(database.db.manager, calls, {
      where: { id: callId, organizationId },
      change: { tags: [], ...changes },
    });
    return { callId, agentId, path: `/workflow/${agentId}/runs/${callId}` };
  }
  const judge = async ({ path }: { path: string }, body: object = {}) =>
    await api.ask(owner.key, 'POST', `${path}/judge`, body);
  const refused = (detail: string) => ({ status: 409, body: { detail } });
  const auditOf = async ({ callId }: { callId: number }) =>
    await database.db.getRepository(auditEvents).findBy({ subjectKind: 'call', subjectKey: String(callId) });
  const publish = async (agentId: number, nodes: unknown[]): Promise<number> => {
    const [first] = await database.db.getRepository(agentVersions).findBy({ agentId });
    if (first === undefined) throw new Error('The agent has no version');
    const { id: _, ...rest } = first;
    const { id } = await insertRow(database.db.manager, agentVersions, {
      ...rest,
      number: 2,
      definition: { nodes },
    });
    await database.db.getRepository(agents).update({ id: agentId }, { publishedVersionId: id });
    return id;
  };

  test('is begun by the QA nodes of the pinned version, once, and is on the record and in the audit log', async () => {
    const call = await endedCall([
      quality(),
      node('off', 'qa', { name: 'Off', qa_enabled: false }),
      node('tone', 'qa', { name: 'Tone' }),
    ]);
    const { versionId, uuid } = await database.db.getRepository(calls).findOneByOrFail({ id: call.callId });
    const asked = {
      state: 'judging',
      definition_id: versionId,
      requested_at: expect.any(String),
    };
    expect(await judge(call)).toMatchObject({ status: 202, body: asked });
    expect(await judge(call)).toMatchObject({ status: 202, body: asked });
    const input = {
      callId: call.callId,
      callUuid: uuid,
      organizationId: owner.organizationId,
      organizationUuid: expect.any(String),
      again: { number: 1, versionId },
      qaNodes: [
        { nodeId: 'quality', name: 'Quality' },
        { nodeId: 'tone', name: 'Tone' },
      ],
    };
    expect(started).toEqual([input, input]);
    expect(await api.ask(owner.key, 'GET', call.path)).toMatchObject({
      body: {
        judged_again: {
          ...asked,
          requested_by: { type: 'api_key', name: 'Test key' },
          reason: null,
          judged_at: null,
          judged_by: null,
          count: 0,
        },
      },
    });
    expect(await auditOf(call)).toMatchObject([
      { action: 'call.judgment_requested', actorKind: 'api_key', changes: { number: 1, version: 1 } },
    ]);
  });

  test('is begun by the published version when the request asks for it', async () => {
    const call = await endedCall([]);
    const published = await publish(call.agentId, [node('new', 'qa', { name: 'New' })]);
    expect(await judge(call, { version: 'published' })).toMatchObject({
      status: 202,
      body: { definition_id: published },
    });
    expect(started).toMatchObject([
      { again: { number: 1, versionId: published }, qaNodes: [{ nodeId: 'new', name: 'New' }] },
    ]);
  });

  test('goes on with the same request when Temporal was away', async () => {
    const call = await endedCall();
    failure = new UnavailableError('It is away for a moment', { dependency: 'temporal' });
    expect(await judge(call)).toMatchObject({ status: 503 });
    failure = null;
    expect(await judge(call)).toMatchObject({ status: 202 });
    expect(started).toMatchObject([{ again: { number: 1 } }]);
    expect(await auditOf(call)).toHaveLength(1);
  });

  test('is refused with the reason for a call that cannot be judged, and nothing is begun', async () => {
    const at = new Date();
    const live = await endedCall([quality()], { state: 'talking', endedAt: null });
    const refusedCall = await endedCall([quality()], { state: 'refused', transcriptAvailable: false });
    const silent = await endedCall([quality()], { transcriptAvailable: false });
    const withoutWords = await endedCall([quality()], { transcriptErasedAt: at, transcriptAvailable: false });
    const withoutValues = await endedCall([quality()], { variablesErasedAt: at });
    const withoutNode = await endedCall([quality({ qa_enabled: false })]);
    const nothingSaid = refused('Nothing was said in the call, so it cannot be judged.');
    const wasErased = refused('The call was erased, so it cannot be judged.');
    expect(await judge(live)).toMatchObject(
      refused('The call is still live. It can be judged again after its end.'),
    );
    expect(await judge(refusedCall)).toMatchObject(nothingSaid);
    expect(await judge(silent)).toMatchObject(nothingSaid);
    expect(await judge(withoutWords)).toMatchObject(wasErased);
    expect(await judge(withoutValues)).toMatchObject(wasErased);
    expect(await judge(withoutNode)).toMatchObject(
      refused(
        'Version 1, which the call is pinned to, has no QA node that is switched on. Ask for the published version.',
      ),
    );
    expect(await judge(withoutNode, { version: 'published' })).toMatchObject(
      refused('The agent has no published version. Publish it first.'),
    );
    await publish(withoutNode.agentId, []);
    expect(await judge(withoutNode, { version: 'published' })).toMatchObject(
      refused(
        'Version 2, which is published, has no QA node that is switched on. Publish one with a QA node.',
      ),
    );
    expect(await judge(live, { version: 'draft' })).toMatchObject({ status: 422 });
    const all = [live, refusedCall, silent, withoutWords, withoutValues, withoutNode];
    expect([started, (await Promise.all(all.map(auditOf))).flat()]).toEqual([[], []]);
  });

  test('does not exist for another organization, another agent or an unknown call', async () => {
    const call = await endedCall();
    const other = await endedCall();
    const stranger = await createTenant(database.db);
    const paths = [
      `/workflow/${other.agentId}/runs/${call.callId}`,
      `/workflow/${call.agentId}/runs/999999999`,
    ];
    for (const path of paths)
      expect(await judge({ path })).toMatchObject({
        status: 404,
        body: { detail: 'Workflow run not found' },
      });
    expect(await api.ask(stranger.key, 'POST', `${call.path}/judge`, {})).toMatchObject({ status: 404 });
    expect(started).toEqual([]);
  });
});
