import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { createGuardedClient, type GuardedClient } from '../../src/providers/http/guarded-client.ts';
import { llmVendorNames } from '../../src/domain/models/catalog.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { startLlmBench, type LlmBench } from '../support/llm-emulator.ts';
import { scanTables } from '../support/scan.ts';

const v2 = '/organizations/model-configurations/v2';
const configuration = (llm: unknown, more: Record<string, unknown> = {}) => ({
  version: 2,
  mode: 'byok',
  byok: { mode: 'pipeline', pipeline: { llm, ...more } },
});
const openai = { provider: 'openai', model: 'gpt-4.1', api_key: 'sk-live-key-1234' };
const nothing = {
  llm: null,
  tts: null,
  stt: null,
  embeddings: null,
  realtime: null,
  is_realtime: null,
  test_phone_number: null,
  timezone: null,
};
const expected = llmVendorNames
  .map((name) => `'${name}'`)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1');

describe.each(databases)('the models of an organization on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let bench: LlmBench;
  let http: GuardedClient;
  let key: string;
  let organizationId: number;

  beforeAll(async () => {
    [database, bench] = [await createTestDatabase(kind), await startLlmBench()];
    http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: [new URL(bench.emulator.url).host] });
    api = await startApi(database.db, {
      http,
      prices: { 'openai|||gpt-4.1': { prompt: 2, cachedPrompt: 0.5, completion: 8 } },
    });
  });
  beforeEach(async () => {
    ({ organizationId, key } = await createTenant(database.db));
  });
  afterAll(async () => {
    await Promise.all([api.close(), http.close(), bench.close()]);
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const llmOf = (answer: { body: unknown }) => at(answer.body, 'configuration', 'byok', 'pipeline', 'llm');

  test("are the installation's by default (contract 13.3)", async () => {
    expect(await ask('GET', v2)).toMatchObject({
      status: 200,
      body: {
        configuration: null,
        effective_configuration: { ...nothing, managed_service_version: null },
        source: 'empty',
      },
    });
    expect((await ask('GET', '/user/configurations/user')).body).toEqual(nothing);
  });

  test('are shown with masked keys and two preferences, and the context shows their source (contract 13.3, 14.4)', async () => {
    await ask('PUT', '/organizations/preferences', {
      test_phone_number: '+4930123',
      timezone: 'Europe/Berlin',
    });
    const saved = await ask(
      'PUT',
      v2,
      configuration(openai, { tts: { provider: 'openai', api_key: 'sk-voice-5678', voice: 'marin' } }),
    );
    const llm = { ...openai, api_key: '************1234' };
    const tts = { provider: 'openai', api_key: '*********5678', voice: 'marin' };
    expect(saved).toMatchObject({
      status: 200,
      body: {
        configuration: configuration(llm, { tts }),
        effective_configuration: {
          ...nothing,
          llm,
          tts,
          is_realtime: false,
          test_phone_number: '+4930123',
          timezone: 'Europe/Berlin',
        },
        source: 'organization_v2',
      },
    });
    expect((await ask('GET', v2)).body).toEqual(saved.body);
    expect(at((await ask('GET', '/organizations/context')).body, 'model_services')).toMatchObject({
      config_source: 'organization_v2',
      has_model_configuration_v2: true,
    });
    expect((await ask('GET', `${v2}/migration-preview`)).body).toEqual({
      configuration: at(saved.body, 'configuration'),
      effective_configuration: at(saved.body, 'effective_configuration'),
    });
    expect((await ask('POST', `${v2}/migrate?force=true`)).body).toEqual(saved.body);
  });

  test('have no plain keys in the database or in the audit log', async () => {
    await ask(
      'PUT',
      v2,
      configuration(
        { ...openai, api_key: 'sk-scanned-key-0001' },
        { stt: { provider: 'telnyx', api_key: 'dg-scanned-0002' } },
      ),
    );
    await ask('PUT', '/user/configurations/user', { llm: { api_key: 'sk-scanned-key-0003' } });
    expect(await scanTables(database.db, ['sk-scanned-key', 'dg-scanned'])).toEqual([]);
    expect(
      await database.db
        .getRepository(auditEvents)
        .findBy({ organizationId, action: 'organization.models_changed' }),
    ).toHaveLength(2);
  });

  test('keep a stored key that is sent back masked; a new key replaces it', async () => {
    const check = async () => await ask('GET', '/user/configurations/user/validate?validity_ttl_seconds=0');
    const own = {
      provider: 'openai_compatible',
      model: 'm',
      api_key: 'simulated-key-1',
      base_url: bench.emulator.url,
    };
    const shown = await ask('PUT', v2, configuration(own));
    expect((await ask('PUT', v2, at(shown.body, 'configuration'))).body).toEqual(shown.body);
    expect(await check()).toMatchObject({ status: 200, body: { status: [{ model: 'llm', message: 'ok' }] } });
    await ask('PUT', v2, configuration({ ...own, api_key: 'sk-not-simulated' }));
    expect(await check()).toMatchObject({
      status: 422,
      body: { detail: [{ model: 'llm', message: 'The provider refused the API key: HTTP 401' }] },
    });
  });

  // guarantee: model-key-bound-to-address
  test('keep a stored key only for the same vendor and URL', async () => {
    const shown = llmOf(await ask('PUT', v2, configuration(openai)));
    const refusal = {
      status: 422,
      body: {
        detail: [
          {
            type: 'value_error',
            loc: ['body', 'byok', 'pipeline', 'llm', 'api_key'],
            msg: 'Value error, a stored key is used only for its own vendor and address; send the key in full',
          },
        ],
      },
    };
    expect(
      await ask('PUT', v2, configuration({ ...Object(shown), base_url: 'https://thief.example.com/v1' })),
    ).toMatchObject(refusal);
    expect(await ask('PUT', v2, configuration({ ...Object(shown), provider: 'groq' }))).toMatchObject(
      refusal,
    );
    expect(
      await ask('PUT', '/user/configurations/user', { llm: { provider: 'groq', model: 'x' } }),
    ).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'llm', 'api_key'], msg: 'Value error, there is no API key' }] },
    });
    expect(llmOf(await ask('GET', v2))).toEqual(shown);
    const other = await createTenant(database.db);
    expect(await api.ask(other.key, 'PUT', v2, configuration(shown))).toMatchObject({
      status: 422,
      body: { detail: [{ msg: 'Value error, this mask matches no stored key; send the key in full' }] },
    });
  });

  test.each([
    [
      'another vendor',
      configuration({ ...openai, provider: 'polly' }),
      {
        type: 'literal_error',
        loc: ['body', 'byok', 'pipeline', 'llm', 'provider'],
        msg: `Input should be ${expected}`,
        input: 'polly',
        ctx: { expected },
      },
    ],
    [
      'Azure without a resource',
      configuration({ ...openai, provider: 'azure' }),
      {
        type: 'value_error',
        loc: ['body', 'byok', 'pipeline', 'llm', 'endpoint'],
        msg: 'Value error, azure needs an address',
        input: null,
      },
    ],
    [
      'an invalid URL',
      configuration({ ...openai, base_url: 'localhost:1234' }),
      { type: 'value_error', loc: ['body', 'byok', 'pipeline', 'llm', 'base_url'], input: 'localhost:1234' },
    ],
    [
      'the managed service',
      { mode: 'dograh', dograh: {} },
      { type: 'literal_error', loc: ['body', 'mode'], msg: "Input should be 'byok'" },
    ],
    [
      'speech-to-speech',
      { mode: 'byok', byok: { mode: 'realtime', realtime: {} } },
      { type: 'literal_error', loc: ['body', 'byok', 'mode'], msg: "Input should be 'pipeline'" },
    ],
    [
      'another version',
      { ...configuration(openai), version: 3 },
      { type: 'literal_error', loc: ['body', 'version'], msg: 'Input should be 2', input: 3 },
    ],
    [
      'no key',
      configuration({ provider: 'openai', model: 'm' }),
      { type: 'missing', loc: ['body', 'byok', 'pipeline', 'llm', 'api_key'], msg: 'Field required' },
    ],
  ])('%s is refused with the field and the fix', async (_name, body, record) => {
    expect(await ask('PUT', v2, body)).toMatchObject({
      status: 422,
      body: { detail: expect.arrayContaining([expect.objectContaining(record)]) },
    });
    expect(await ask('GET', v2)).toMatchObject({ body: { source: 'empty' } });
  });

  test('can be changed in the older form, field by field for the same vendor', async () => {
    const first = await ask('PUT', '/user/configurations/user', {
      llm: openai,
      stt: { provider: 'telnyx', api_key: 'dg-1234567' },
      timezone: 'Asia/Tokyo',
      tts: null,
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        ...nothing,
        llm: { ...openai, api_key: '************1234' },
        stt: { api_key: '******4567' },
        is_realtime: false,
        timezone: 'Asia/Tokyo',
      },
    });
    await ask('PUT', '/user/configurations/user', {
      llm: { ...Object(at(first.body, 'llm')), model: 'gpt-4.1-mini' },
    });
    expect(await ask('GET', v2)).toMatchObject({
      body: {
        source: 'organization_v2',
        effective_configuration: {
          llm: { model: 'gpt-4.1-mini', api_key: '************1234' },
          stt: { provider: 'telnyx' },
          timezone: 'Asia/Tokyo',
        },
      },
    });
    expect(await ask('PUT', '/user/configurations/user', { is_realtime: true })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'is_realtime'] }] },
    });
    expect(
      await ask('PUT', '/user/configurations/user', { timezone: 'Mars/Base', llm: { model: 'x' } }),
    ).toMatchObject({ status: 422 });
    expect((await ask('GET', '/user/configurations/user')).body).toMatchObject({
      llm: { model: 'gpt-4.1-mini' },
      timezone: 'Asia/Tokyo',
    });
  });

  test('list the voices of supported vendors, and none of others', async () => {
    const { body } = await ask('GET', '/user/configurations/voices/google');
    expect(body).toMatchObject({
      provider: 'google',
      voices: expect.arrayContaining([
        expect.objectContaining({ voice_id: 'Kore', name: 'Kore', gender: 'female' }),
      ]),
    });
    expect(at(body, 'voices', 'length')).toBe(30);
    expect(await ask('GET', '/user/configurations/voices/openai')).toMatchObject({
      body: { voices: expect.arrayContaining([expect.objectContaining({ voice_id: 'marin' })]) },
    });
    expect((await ask('GET', '/user/configurations/voices/elevenlabs')).body).toEqual({
      provider: 'elevenlabs',
      voices: [],
    });
  });

  test.each([
    [
      'an unsupported vendor',
      { tts: { provider: 'elevenlabs', voice: 'x' } },
      {
        type: 'literal_error',
        loc: ['body', 'byok', 'pipeline', 'tts', 'provider'],
        msg: "Input should be 'google' or 'openai'",
        input: 'elevenlabs',
      },
    ],
    [
      'no vendor',
      { stt: { model: 'nova-3' } },
      {
        type: 'literal_error',
        loc: ['body', 'byok', 'pipeline', 'stt', 'provider'],
        msg: "Input should be 'telnyx' or 'openai'",
        input: null,
      },
    ],
    [
      'an unknown voice',
      { tts: { provider: 'google', voice: 'alloy' } },
      { type: 'value_error', loc: ['body', 'byok', 'pipeline', 'tts', 'voice'] },
    ],
    [
      "a speed beyond the vendor's",
      { tts: { provider: 'google', speed: 3 } },
      {
        type: 'value_error',
        loc: ['body', 'byok', 'pipeline', 'tts', 'speed'],
        msg: 'Value error, the speed must be from 0.25 to 2',
      },
    ],
    [
      'a model that cannot be used',
      { stt: { provider: 'openai', model: 'gpt-realtime-whisper' } },
      { type: 'value_error', loc: ['body', 'byok', 'pipeline', 'stt', 'model'] },
    ],
    [
      'a masked key without a stored one',
      { stt: { provider: 'telnyx', api_key: '****1234' } },
      {
        type: 'value_error',
        loc: ['body', 'byok', 'pipeline', 'stt', 'api_key'],
        msg: 'Value error, this mask matches no stored key; send the key in full',
      },
    ],
  ])('with %s are refused with the field and the fix', async (_name, parts, record) => {
    expect(await ask('PUT', v2, configuration(openai, parts))).toMatchObject({
      status: 422,
      body: { detail: [record] },
    });
  });

  test('keep the key of a voice for its vendor, and never show it', async () => {
    const credentials = JSON.stringify({ client_email: 'a@b', private_key: 'scanned-private-key' });
    const saved = await ask('PUT', v2, configuration(openai, { tts: { provider: 'google', credentials } }));
    expect(JSON.stringify(saved.body)).not.toContain('scanned-private-key');
    expect(await scanTables(database.db, ['scanned-private-key'])).toEqual([]);
    const shown = Object(at(saved.body, 'configuration', 'byok', 'pipeline', 'tts'));
    expect(await ask('PUT', v2, configuration(openai, { tts: { ...shown, voice: 'Leda' } }))).toMatchObject({
      status: 200,
      body: { effective_configuration: { tts: { credentials: shown.credentials, voice: 'Leda' } } },
    });
    expect(
      await ask(
        'PUT',
        v2,
        configuration(openai, { tts: { provider: 'openai', api_key: shown.credentials } }),
      ),
    ).toMatchObject({
      status: 422,
      body: {
        detail: [{ msg: 'Value error, a stored key is used only for its own vendor; send the key in full' }],
      },
    });
    expect(await ask('PUT', '/user/configurations/user', { tts: { speed: 1.2 } })).toMatchObject({
      status: 200,
      body: { tts: { provider: 'google', voice: 'Leda', speed: 1.2, credentials: shown.credentials } },
    });
  });

  test('check an accepted key again only after the given time, or after a change', async () => {
    const own = {
      provider: 'openai_compatible',
      model: 'm',
      api_key: 'simulated-ttl',
      base_url: bench.emulator.url,
    };
    const check = async (ttl: number) =>
      (await ask('GET', `/user/configurations/user/validate?validity_ttl_seconds=${ttl}`)).body;
    expect(await check(60)).toEqual({ status: [] });
    await ask('PUT', v2, configuration(own));
    expect(await check(60)).toEqual({ status: [{ model: 'llm', message: 'ok' }] });
    expect(await check(60)).toEqual({ status: [] });
    await ask('PUT', v2, configuration({ ...own, model: 'n' }));
    expect(await check(60)).toEqual({ status: [{ model: 'llm', message: 'ok' }] });
    expect(await ask('GET', '/user/configurations/user/validate?validity_ttl_seconds=86401')).toMatchObject({
      status: 422,
    });
  });

  describe("an agent's overrides", () => {
    const put = async (settings: unknown) => {
      const agent = await ask('POST', '/workflow/create/definition', { name: 'A', workflow_definition: {} });
      return {
        agent,
        answer: await ask('PUT', `/workflow/${idAt(agent.body, 'id')}`, {
          workflow_configurations: settings,
        }),
      };
    };
    const whole = (llm: unknown) => ({ model_configuration_v2_override: configuration(llm) });
    const fields = (llm: unknown) => ({ model_overrides: { llm } });
    const place = 'model_configuration_v2_override.byok.pipeline.llm';

    test.each([
      [
        'another vendor',
        whole({ ...openai, provider: 'polly' }),
        `${place}.provider: Input should be ${expected}`,
      ],
      ['no key', whole({ provider: 'openai', model: 'm' }), `${place}.api_key: Field required`],
      [
        'speech-to-speech',
        { model_configuration_v2_override: { mode: 'byok', byok: { mode: 'realtime' } } },
        "model_configuration_v2_override.byok.mode: Input should be 'pipeline'",
      ],
      [
        'no configuration',
        { model_configuration_v2_override: 'gpt' },
        'model_configuration_v2_override: Input should be a valid dictionary or object to extract fields from',
      ],
      [
        'another vendor in fields',
        fields({ provider: 'polly', model: 'm', api_key: 'k' }),
        `model_overrides.llm.provider: Input should be ${expected}`,
      ],
      [
        'a model without a key anywhere',
        fields({ model: 'gpt-4.1' }),
        'model_overrides.llm.api_key: Value error, there is no API key',
      ],
      [
        'a masked key without a stored one',
        fields({ ...openai, api_key: '****1234' }),
        'model_overrides.llm.api_key: Value error, this mask matches no stored key; send the key in full',
      ],
      [
        'an unsupported vendor',
        { model_overrides: { tts: { provider: 'elevenlabs' } } },
        "model_overrides.tts.provider: Input should be 'google' or 'openai'",
      ],
      [
        'a whole configuration with such a vendor',
        { model_configuration_v2_override: configuration(openai, { stt: { provider: 'deepgram' } }) },
        "model_configuration_v2_override.byok.pipeline.stt.provider: Input should be 'telnyx' or 'openai'",
      ],
      [
        'an invalid speed',
        { model_overrides: { tts: { speed: 'fast', provider: 'google' } } },
        'model_overrides.tts.speed: Value error, the speed must be a number',
      ],
      ['no fields', { model_overrides: [] }, 'model_overrides: Input should be a valid dictionary'],
    ])('with %s are refused with their place (contract 1.3)', async (_name, settings, detail) => {
      const { agent, answer } = await put(settings);
      expect(answer).toMatchObject({ status: 422, body: { detail } });
      expect(await ask('GET', `/workflow/fetch/${idAt(agent.body, 'id')}`)).toMatchObject({
        body: { workflow_configurations: {}, version_number: 1 },
      });
    });

    test("override the organization's models, are masked, and are kept if they are sent back masked", async () => {
      await ask('PUT', v2, configuration(openai));
      const settings = {
        ...fields({ model: 'gpt-4.1-mini' }),
        ...whole({ ...openai, provider: 'groq', api_key: 'gsk-own-5678' }),
        max_call_duration: 60,
      };
      const { agent, answer } = await put(settings);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          workflow_configurations: {
            ...settings,
            ...whole({ ...openai, provider: 'groq', api_key: '********5678' }),
          },
        },
      });
      const path = `/workflow/${idAt(agent.body, 'id')}`;
      expect(
        (await ask('PUT', path, { workflow_configurations: at(answer.body, 'workflow_configurations') }))
          .body,
      ).toEqual(answer.body);
      const elsewhere = whole({
        ...openai,
        base_url: 'https://thief.example.com/v1',
        api_key: '********5678',
      });
      expect(await ask('PUT', path, { workflow_configurations: elsewhere })).toMatchObject({
        status: 422,
        body: {
          detail: `${place}.api_key: Value error, a stored key is used only for its own vendor and address; send the key in full`,
        },
      });
      expect(
        await ask('PUT', path, {
          workflow_configurations: fields({ base_url: 'https://thief.example.com/v1' }),
        }),
      ).toMatchObject({
        status: 422,
        body: { detail: 'model_overrides.llm.api_key: Value error, there is no API key' },
      });
    });
  });

  test('report a forbidden URL when keys are checked', async () => {
    await ask('PUT', v2, configuration({ ...openai, base_url: 'https://169.254.169.254/v1' }));
    const { status, body } = await ask('GET', '/user/configurations/user/validate');
    expect({ status, message: at(body, 'detail', 0, 'message') }).toEqual({
      status: 422,
      message: expect.stringContaining('The address is not allowed'),
    });
  });

  test('have one catalog in all endpoints', async () => {
    const { body: defaults } = await ask('GET', '/user/configurations/defaults');
    const { body: catalog } = await ask('GET', `${v2}/defaults`);
    expect(Object.keys(Object(at(defaults, 'llm')))).toEqual([...llmVendorNames]);
    expect(at(catalog, 'byok', 'pipeline', 'llm')).toEqual(at(defaults, 'llm'));
    expect(at(defaults, 'llm', 'azure')).toMatchObject({
      required: ['provider', 'model', 'api_key', 'endpoint'],
    });
    expect(defaults).toMatchObject({
      tts: { google: { required: ['provider'] }, openai: {} },
      stt: { telnyx: { properties: { model: { default: 'nova-3' } } }, openai: {} },
      embeddings: {},
      realtime: {},
      default_providers: { llm: 'openai', tts: 'google', stt: 'telnyx' },
    });
    expect(at(catalog, 'byok', 'pipeline', 'tts')).toEqual(at(defaults, 'tts'));
    expect((await ask('GET', `${v2}/pricing`)).body).toEqual({
      currency: 'USD',
      unit: 'per_million_tokens',
      models: { 'openai|||gpt-4.1': { prompt: 2, cached_prompt: 0.5, completion: 8 } },
    });
  });
});
