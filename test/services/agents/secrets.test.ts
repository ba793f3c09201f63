import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agentVersions } from '../../../src/db/tables/agent-versions.ts';
import { deliveries } from '../../../src/db/tables/deliveries.ts';
import { calls } from '../../../src/db/tables/calls.ts';
import { ownList, type Definition } from '../../../src/domain/graph/definition.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { createTickets } from '../../../src/providers/secrets/tickets.ts';
import {
  createAgent,
  createDraft,
  duplicateAgent,
  getAgent,
  listVersions,
  publishDraft,
  restoreVersion,
  updateAgent,
  validateAgent,
} from '../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import { finalizeCall, prepareDeliveries } from '../../../src/services/calls/index.ts';
import { rotateSecrets } from '../../../src/services/data-lifecycle/rotation/rotate.ts';
import { definitionPlace, openerOf, settingsPlace } from '../../../src/services/kernel/sealed-text.ts';
import { initialCheckpoint } from '../../../src/domain/call/checkpoint.ts';
import { admitTextCall, conversationDeps } from '../../support/admitted-call.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testKeyRing,
  testSecrets,
  type TestDatabase,
} from '../../support/database.ts';
import { node, threeStepDefinition } from '../../support/definitions.ts';
import { scanTables } from '../../support/scan.ts';

const marks = ['scanned-key', 'scanned-header'];

describe.each(databases)('secrets inside a graph and its settings on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const graph = (key: string): Definition => {
    const base = threeStepDefinition({ webhook: false });
    const besides = [
      node('qa', 'qa', { name: 'QA', qa_use_workflow_llm: false, qa_provider: 'openai', qa_api_key: key }),
      node('tuner', 'tuner', {
        name: 'Tuner',
        tuner_agent_id: 'a',
        tuner_workspace_id: 1,
        tuner_api_key: `${key}-tuner`,
      }),
      node('hook', 'webhook', {
        name: 'Hook',
        endpoint_url: 'https://receiver.test/hook',
        custom_headers: [
          { key: 'X-Api-Token', value: 'scanned-header-0001' },
          { key: 'X-Plain', value: 'seen' },
        ],
      }),
    ];
    return { nodes: [...ownList(base, 'nodes'), ...besides], edges: ownList(base, 'edges') };
  };
  const overrides = (key: string) => ({
    model_overrides: { llm: { provider: 'groq', model: 'llama', api_key: key } },
    voicemail_detection: { enabled: true, api_key: `${key}-voicemail` },
  });
  const versions = async (agentId: number) =>
    await database.db.getRepository(agentVersions).find({ where: { agentId }, order: { number: 'DESC' } });
  /** Every key of the newest version, decrypted as for its use. */
  async function used(agentId: number, secrets = testSecrets): Promise<Record<string, unknown>> {
    const [version] = await versions(agentId);
    const text = JSON.stringify(version?.definition);
    const openGraph = openerOf(secrets, definitionPlace(ctx.organizationId));
    const key = /"qa_api_key":"([^"]*)"/.exec(text)?.[1] ?? '';
    const header = /"X-Api-Token","value":"([^"]*)"/.exec(text)?.[1] ?? '';
    const setting = /"api_key":"([^"]*)"/.exec(JSON.stringify(version?.settings))?.[1] ?? '';
    return {
      key: openGraph(key),
      header: openGraph(header),
      setting: openerOf(secrets, settingsPlace(ctx.organizationId))(setting),
    };
  }

  // guarantee: model-keys-sealed-in-database
  test('are never unencrypted in the database, whatever happens to the agent, and the graph stays valid', async () => {
    const { id: agentId } = await createAgent({
      ctx,
      input: { name: 'QA', definition: graph('scanned-key-0001') },
    });
    expect((await validateAgent({ ctx, input: { agentId } })).is_valid).toBe(true);
    await updateAgent({
      ctx,
      input: { agentId, definition: graph('scanned-key-0002'), settings: overrides('scanned-key-0003') },
    });
    await publishDraft({ ctx, input: { agentId } });
    await createDraft({ ctx, input: { agentId } });
    await duplicateAgent({ ctx, input: { agentId } });
    await restoreVersion({ ctx, input: { agentId, versionNumber: 1 } });
    await updateAgent({ ctx, input: { agentId, settings: overrides('scanned-key-0004') } });
    const call = await admitTextCall({ ctx, definition: graph('scanned-key-0005') });
    await finalizeCall({
      deps: conversationDeps(ctx),
      input: {
        ...call,
        reason: 'user_hangup',
        checkpoint: initialCheckpoint,
        extractions: [],
        failedExtractions: [],
      },
    });
    await prepareDeliveries({ deps: conversationDeps(ctx), input: call });
    expect(await database.db.getRepository(deliveries).countBy({ callId: call.callId })).toBe(1);
    expect(await database.db.getRepository(calls).countBy({ id: call.callId })).toBe(1);
    expect(await scanTables(database.db, marks)).toEqual([]);
    expect(await used(agentId)).toEqual({
      key: 'scanned-key-0001',
      header: 'scanned-header-0001',
      setting: 'scanned-key-0004',
    });
  });

  test('are masked except for the last four characters in every answer', async () => {
    const created = await createAgent({ ctx, input: { name: 'QA', definition: graph('sk-live-123456') } });
    const updated = await updateAgent({
      ctx,
      input: { agentId: created.id, settings: overrides('sk-model-9876') },
    });
    const answers = [
      created,
      updated,
      await getAgent({ ctx, input: { agentId: created.id } }),
      await listVersions({ ctx, input: { agentId: created.id, limit: 10, offset: 0 } }),
    ];
    expect(JSON.stringify(created)).toContain('"**********3456"');
    expect(JSON.stringify(updated)).toContain('"*********9876"');
    for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/sk-live|sk-model|sealed/);
  });

  test('stay when their mask is sent back; other values replace them', async () => {
    const { id: agentId, workflow_definition: shown } = await createAgent({
      ctx,
      input: { name: 'QA', definition: graph('sk-live-123456') },
    });
    await updateAgent({ ctx, input: { agentId, definition: shown, settings: overrides('sk-model-9876') } });
    const { workflow_configurations: settings } = await getAgent({ ctx, input: { agentId } });
    await updateAgent({ ctx, input: { agentId, settings: settings ?? {} } });
    expect(await used(agentId)).toEqual({
      key: 'sk-live-123456',
      header: 'scanned-header-0001',
      setting: 'sk-model-9876',
    });
    await updateAgent({ ctx, input: { agentId, definition: graph('sk-new-0000') } });
    expect(await used(agentId)).toMatchObject({ key: 'sk-new-0000', setting: 'sk-model-9876' });
  });

  test('are ordinary keys even when they look like encrypted ones', async () => {
    const odd = 'sealed:v1.test.abc.def:9:-key';
    const { id: agentId } = await createAgent({ ctx, input: { name: 'QA', definition: graph(odd) } });
    await updateAgent({ ctx, input: { agentId, settings: overrides(odd) } });
    expect(await used(agentId)).toMatchObject({ key: odd, setting: odd });
  });

  test('do not change the hash of equal graphs, although each encryption is different', async () => {
    const { id: agentId } = await createAgent({
      ctx,
      input: { name: 'QA', definition: graph('sk-live-123456') },
    });
    await updateAgent({ ctx, input: { agentId, definition: graph('sk-live-123456') } });
    const [second, first] = await versions(agentId);
    expect(second?.definitionSha256).toBe(first?.definitionSha256);
    expect(JSON.stringify(second?.definition)).not.toBe(JSON.stringify(first?.definition));
  });

  test('are sealed under the first key when a version is copied', async () => {
    const { id: agentId } = await createAgent({ ctx, input: { name: 'QA', definition: graph('sk-copied') } });
    const newRing = createSecretBox(`new:${Buffer.alloc(32, 9).toString('base64')},${testKeyRing}`);
    await createDraft({ ctx: { ...ctx, secrets: newRing }, input: { agentId } });
    const copy = JSON.stringify((await versions(agentId))[0]?.definition);
    expect(copy).toContain('sealed:v1.new.');
    expect(copy).not.toContain('sealed:v1.test.');
  });

  // guarantee: rotation-seals-documents
  test('are sealed under the new first key by a rotation, and can then be read without the old key', async () => {
    const { id: agentId } = await createAgent({
      ctx,
      input: { name: 'QA', definition: graph('scanned-key-0006') },
    });
    await updateAgent({ ctx, input: { agentId, settings: overrides('scanned-key-0007') } });
    const rotate = (secrets: typeof testSecrets) =>
      rotateSecrets({ db: database.db, secrets, answers: createTickets(secrets) });
    const newKey = `new:${Buffer.alloc(32, 9).toString('base64')}`;
    const newRing = createSecretBox(`${newKey},${testKeyRing}`);
    expect(await rotate(newRing)).toBeGreaterThan(3);
    expect(await rotate(newRing)).toBe(0);
    expect(await scanTables(database.db, [...marks, 'sealed:v1.test.'])).toEqual([]);
    expect(await used(agentId, createSecretBox(newKey))).toEqual({
      key: 'scanned-key-0006',
      header: 'scanned-header-0001',
      setting: 'scanned-key-0007',
    });
  });
});
