import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { modelConfigurations } from '../../../src/db/tables/model-configurations.ts';
import type { CustomerLlm } from '../../../src/providers/llm/port.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import { collectReply } from '../../../src/services/models/collect-reply.ts';
import { configurationPlace } from '../../../src/services/models/internal.ts';
import { resolveLlm } from '../../../src/services/models/index.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestDatabase,
} from '../../support/database.ts';
import { FakeLlm } from '../../support/fake-llm.ts';

const configuration = (llm: unknown) => ({
  version: 2,
  mode: 'byok',
  byok: { mode: 'pipeline', pipeline: { llm } },
});

describe.each(databases)('the configured language model on %s', (kind) => {
  let database: TestDatabase;
  let [ctx, stranger]: ServiceContext[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    [ctx, stranger] = [await createTestContext(database.db), await createTestContext(database.db)];
  });
  afterAll(async () => await database.drop());

  async function resolve(of: ServiceContext | undefined, agentSettings: Record<string, unknown> = {}) {
    if (of === undefined) throw new Error('no tenant');
    const chosen: CustomerLlm[] = [];
    const llm = new FakeLlm();
    const deps = {
      secrets: testSecrets,
      llm,
      model: 'installed',
      customerLlms: (choice: CustomerLlm) => (chosen.push(choice), new FakeLlm()),
    };
    return {
      chosen,
      installed: llm,
      ...(await resolveLlm({
        db: database.db,
        deps,
        organizationId: of.organizationId,
        agentSettings: readAgentSettings(agentSettings),
      })),
    };
  }

  test("is the organization's as soon as it is set, and no other organization's", async () => {
    const before = await resolve(ctx);
    expect(before).toMatchObject({ level: 'installation', model: 'installed', chosen: [] });
    expect(before.llm).toBe(before.installed);
    if (ctx === undefined) throw new Error('no tenant');
    const configurationEncrypted = testSecrets.seal(
      JSON.stringify(configuration({ provider: 'groq', model: 'llama', api_key: 'gsk-1', temperature: 0.2 })),
      configurationPlace(ctx.organizationId),
    );
    await database.db.getRepository(modelConfigurations).insert({
      organizationId: ctx.organizationId,
      configurationEncrypted,
      updatedAt: new Date(),
      validatedAt: null,
    });
    expect(await resolve(ctx)).toMatchObject({
      level: 'organization',
      model: 'llama',
      chosen: [{ provider: 'groq', apiKey: 'gsk-1', endpoint: null, temperature: 0.2 }],
    });
    expect(await resolve(stranger)).toMatchObject({ level: 'installation', chosen: [] });
  });

  test('with unusable settings fails each request, names what is missing, and is not retried', async () => {
    const { llm, chosen, model } = await resolve(stranger, {
      model_overrides: { llm: { provider: 'groq', model: 'llama' } },
    });
    expect({ chosen, model, provider: llm.provider }).toEqual({
      chosen: [],
      model: 'llama',
      provider: 'groq',
    });
    const asked = collectReply(
      llm.stream({ model, messages: [], tools: [] }, { signal: new AbortController().signal }),
    );
    await expect(asked).rejects.toMatchObject({
      code: 'provider',
      retryable: false,
      message: 'The model override of the agent cannot be used: there is no API key',
    });
  });
});
