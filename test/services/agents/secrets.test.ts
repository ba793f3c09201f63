import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agentVersions } from '../../../src/db/tables/agent-versions.ts';
import type { Definition } from '../../../src/domain/graph/definition.ts';
import { createAgent, getAgent, listVersions, updateAgent } from '../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../src/services/context.ts';
import { createTestContext, createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';
import { node } from '../../support/definitions.ts';

describe.each(databases)('secrets inside a graph and its settings on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const withKey = (key: string): Definition => ({ nodes: [node('qa', 'qa', { name: 'QA', qa_api_key: key })], edges: [] });
  const stored = async (agentId: number) => JSON.stringify(await database.db.getRepository(agentVersions).find({ where: { agentId }, order: { number: 'DESC' }, take: 1 }));

  test('are shown masked but for the last four characters, in every answer', async () => {
    const created = await createAgent({ ctx, input: { name: 'QA', definition: withKey('sk-live-123456') } });
    const updated = await updateAgent({ ctx, input: { agentId: created.id, settings: { model_overrides: { llm: { api_key: 'sk-model-9876' } } } } });
    const answers = [created, updated, await getAgent({ ctx, input: { agentId: created.id } }), await listVersions({ ctx, input: { agentId: created.id, limit: 10, offset: 0 } })];
    expect(JSON.stringify(created)).toContain('**********3456');
    expect(JSON.stringify(updated)).toContain('*********9876');
    for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/sk-live|sk-model/);
    expect(await stored(created.id)).toContain('sk-model-9876');
  });

  test('sent back as they were shown are kept; others replace them', async () => {
    const created = await createAgent({ ctx, input: { name: 'QA', definition: withKey('sk-live-123456') } });
    const shown = created.workflow_definition;
    await updateAgent({ ctx, input: { agentId: created.id, definition: shown, settings: { model_overrides: { llm: { api_key: 'sk-model-9876' } } } } });
    expect(await stored(created.id)).toContain('sk-live-123456');
    const { workflow_configurations: settings } = await getAgent({ ctx, input: { agentId: created.id } });
    await updateAgent({ ctx, input: { agentId: created.id, settings: settings ?? {} } });
    expect(await stored(created.id)).toContain('sk-model-9876');
    await updateAgent({ ctx, input: { agentId: created.id, definition: withKey('sk-new-0000') } });
    expect(await stored(created.id)).toContain('sk-new-0000');
  });
});
