import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { modelConfigurations } from '../../../src/db/tables/model-configurations.ts';
import { defaultTts } from '../../../src/domain/models/resolved-voice.ts';
import { ProviderError } from '../../../src/domain/errors.ts';
import type { CustomerStt, SttPort } from '../../../src/providers/stt/port.ts';
import { createTelnyxStt } from '../../../src/providers/carrier/telnyx/stt.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import { configurationPlace } from '../../../src/services/models/internal.ts';
import { resolveVoice, sttOf } from '../../../src/services/models/index.ts';
import { writeSealedText } from '../../../src/domain/secrets/sealed-text.ts';
import { settingsPlace } from '../../../src/services/kernel/sealed-text.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets,
  type TestDatabase,
} from '../../support/database.ts';

const deps = {
  secrets: testSecrets,
  voice: { tts: defaultTts, stt: { shownAs: 'telnyx', provider: 'telnyx', model: 'nova-3', language: null } },
};

describe.each(databases)('the configured voice on %s', (kind) => {
  let database: TestDatabase;
  let [ctx, stranger]: ServiceContext[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    [ctx, stranger] = [await createTestContext(database.db), await createTestContext(database.db)];
  });
  afterAll(async () => await database.drop());

  async function resolve(of: ServiceContext | undefined, agentSettings: Record<string, unknown> = {}) {
    if (of === undefined) throw new Error('no tenant');
    return await resolveVoice({
      db: database.db,
      deps,
      organizationId: of.organizationId,
      agentSettings: readAgentSettings(agentSettings),
    });
  }

  test("is the organization's with its keys in clear, and no other organization's; opens an agent's sealed keys, too", async () => {
    if (ctx === undefined) throw new Error('no tenant');
    expect(await resolve(ctx)).toMatchObject({
      tts: { level: 'installation' },
      stt: { level: 'installation' },
    });
    const pipeline = {
      llm: { provider: 'groq', model: 'llama', api_key: 'gsk-1' },
      tts: { provider: 'openai', voice: 'cedar', api_key: 'sk-tts' },
      stt: { provider: 'telnyx', api_key: 'KEY1' },
    };
    const configurationEncrypted = testSecrets.seal(
      JSON.stringify({ version: 2, mode: 'byok', byok: { mode: 'pipeline', pipeline } }),
      configurationPlace(ctx.organizationId),
    );
    await database.db.getRepository(modelConfigurations).insert({
      organizationId: ctx.organizationId,
      configurationEncrypted,
      updatedAt: new Date(),
      validatedAt: null,
    });
    expect(await resolve(ctx)).toMatchObject({
      tts: { level: 'organization', voice: 'cedar', key: { kind: 'api_key', value: 'sk-tts' } },
      stt: { level: 'organization', key: 'KEY1' },
    });
    expect(await resolve(stranger)).toMatchObject({
      tts: { level: 'installation', key: null },
      stt: { level: 'installation', key: null },
    });
    const sealed = writeSealedText(
      testSecrets.seal('sk-agents-own', settingsPlace(ctx.organizationId)),
      'sk-agents-own',
    );
    expect(
      await resolve(ctx, { model_overrides: { stt: { provider: 'openai', api_key: sealed } } }),
    ).toMatchObject({ stt: { level: 'agent_override', provider: 'openai', key: 'sk-agents-own' } });
  });

  test("recognizes speech with the customer's key if there is one, else with the installation's port", async () => {
    const asked: CustomerStt[] = [];
    const [installed, theirs]: SttPort[] = [
      createTelnyxStt({ apiKey: 'simulated' }),
      createTelnyxStt({ apiKey: 'simulated' }),
    ];
    if (installed === undefined || theirs === undefined)
      throw new ProviderError('none', { provider: 'stt', retryable: false });
    const stts = { stt: installed, customerStts: (choice: CustomerStt) => (asked.push(choice), theirs) };
    expect(sttOf(stts, (await resolve(stranger)).stt)).toBe(installed);
    expect(sttOf(stts, (await resolve(ctx)).stt)).toBe(theirs);
    expect(asked).toEqual([{ provider: 'telnyx', apiKey: 'KEY1', model: 'nova-3' }]);
  });
});
