import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { organizations } from '../../src/db/tables/organizations.ts';
import { dispositions } from '../../src/domain/call/dispositions.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

const devopsSecret = 'a-secret-of-24-characters';

describe.each(databases)('the organization and its lists on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db, {
      devops: { secret: devopsSecret, loopLag: { read: () => ({ p95Ms: 1.5, maxMs: 20 }) } },
    });
  });
  beforeEach(async () => {
    ({ organizationId, key } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);

  test('context: the organization of the key (contract 13.3)', async () => {
    const { uuid, name } = await database.db
      .getRepository(organizations)
      .findOneByOrFail({ id: organizationId });
    expect(await ask('GET', '/organizations/context')).toMatchObject({
      status: 200,
      body: {
        organization_id: organizationId,
        organization_provider_id: uuid,
        organization_name: name,
        model_services: {
          config_source: 'empty',
          has_model_configuration_v2: false,
          managed_service_version: null,
          uses_managed_service_v2: false,
        },
      },
    });
  });

  describe('preferences', () => {
    test('are empty at first; sent fields change, absent ones do not, null clears', async () => {
      const empty = { test_phone_number: null, timezone: null, external_pbx_integrations_enabled: false };
      expect((await ask('GET', '/organizations/preferences')).body).toEqual(empty);
      expect(
        (
          await ask('PUT', '/organizations/preferences', {
            test_phone_number: '+4930123',
            timezone: 'Europe/Berlin',
          })
        ).body,
      ).toEqual({ ...empty, test_phone_number: '+4930123', timezone: 'Europe/Berlin' });
      expect(
        (
          await ask('PUT', '/organizations/preferences', {
            external_pbx_integrations_enabled: 'yes',
            test_phone_number: null,
          })
        ).body,
      ).toEqual({
        test_phone_number: null,
        timezone: 'Europe/Berlin',
        external_pbx_integrations_enabled: true,
      });
      expect((await ask('PUT', '/organizations/preferences', {})).body).toEqual(
        (await ask('GET', '/organizations/preferences')).body,
      );
    });

    test.each(['Mars/Base', '', 'europe/berlin'])(
      'refuses %j, which is not a time zone',
      async (timezone) => {
        expect(await ask('PUT', '/organizations/preferences', { timezone })).toMatchObject({
          status: 422,
          body: { detail: [{ type: 'value_error', loc: ['body', 'timezone'], input: timezone }] },
        });
      },
    );

    test('keep all simultaneous changes', async () => {
      await Promise.all([
        ask('PUT', '/organizations/preferences', { timezone: 'Asia/Tokyo' }),
        ask('PUT', '/organizations/preferences', { test_phone_number: '1' }),
        ask('PUT', '/organizations/preferences', { external_pbx_integrations_enabled: true }),
      ]);
      expect((await ask('GET', '/organizations/preferences')).body).toEqual({
        test_phone_number: '1',
        timezone: 'Asia/Tokyo',
        external_pbx_integrations_enabled: true,
      });
    });

    test('are separate for each organization', async () => {
      await ask('PUT', '/organizations/preferences', { timezone: 'Asia/Tokyo' });
      const other = await createTenant(database.db);
      expect((await api.ask(other.key, 'GET', '/organizations/preferences')).body).toMatchObject({
        timezone: null,
      });
    });
  });

  test('dispositions: all of them, and those that are not from carriers', async () => {
    const { body } = await ask('GET', '/organizations/disposition-codes');
    expect(body).toEqual({ codes: [...dispositions], end_task_reason_codes: expect.any(Array) });
    expect(at(body, 'end_task_reason_codes')).toEqual(
      dispositions.filter((each) => !['no-answer', 'busy', 'failed', 'canceled', 'error'].includes(each)),
    );
  });

  test('defaults of settings match the table of contract 3.1', async () => {
    expect((await ask('GET', '/user/configurations/defaults')).body).toEqual({
      llm: expect.any(Object),
      tts: expect.any(Object),
      stt: expect.any(Object),
      embeddings: {},
      realtime: {},
      default_providers: { llm: 'openai', tts: 'google', stt: 'telnyx' },
      widget_text_defaults: {},
      workflow_configurations: {
        ambient_noise_configuration: { enabled: false, volume: 0.3 },
        max_call_duration: 300,
        max_user_idle_timeout: 10,
        smart_turn_stop_secs: 2,
        turn_start_strategy: 'default',
        turn_start_min_words: 3,
        provisional_vad_pause_secs: 1.5,
        turn_stop_strategy: 'transcription',
        dictionary: '',
        context_compaction_enabled: false,
        text_chat_inactivity_timeout_seconds: 1800,
        external_pbx_field_mappings: [],
        external_pbx_lead_headers: [],
      },
      text_chat_inactivity_timeout_constraints: {
        default_seconds: 1800,
        minimum_seconds: 60,
        maximum_seconds: 10_500,
      },
    });
  });

  test('documents and recordings: empty lists with the requested paging', async () => {
    expect((await ask('GET', '/knowledge-base/documents')).body).toEqual({
      documents: [],
      total: 0,
      limit: 100,
      offset: 0,
    });
    expect((await ask('GET', '/knowledge-base/documents?status=completed&limit=5&offset=10')).body).toEqual({
      documents: [],
      total: 0,
      limit: 5,
      offset: 10,
    });
    expect(
      (await ask('GET', '/workflow-recordings/?workflow_id=1&tts_provider=x&tts_model=y&tts_voice_id=z'))
        .body,
    ).toEqual({ recordings: [], total: 0 });
    expect((await ask('GET', '/knowledge-base/documents?limit=101&offset=-1')).body).toMatchObject({
      detail: [
        { type: 'less_than_equal', loc: ['query', 'limit'] },
        { type: 'greater_than_equal', loc: ['query', 'offset'] },
      ],
    });
    expect((await ask('GET', '/workflow-recordings/?workflow_id=x')).body).toMatchObject({
      detail: [{ type: 'int_parsing', loc: ['query', 'workflow_id'] }],
    });
  });

  test('documents: none exists, none can be added, and a search finds nothing', async () => {
    const path = '/knowledge-base/documents/5f0c6a1e-2b7d-4c55-9d6e-0f8b1a2c3d4e';
    for (const method of ['GET', 'DELETE'])
      expect(await ask(method, path)).toMatchObject({
        status: 404,
        body: { detail: 'Document not found', code: 'not_found' },
      });
    const refused = {
      status: 409,
      body: { code: 'precondition', detail: expect.stringContaining('prompt') },
    };
    const upload = { filename: 'prices.pdf', mime_type: 'application/pdf', custom_metadata: { a: 1 } };
    expect(await ask('POST', '/knowledge-base/upload-url', upload)).toMatchObject(refused);
    const uploaded = { document_uuid: 'x', s3_key: 'y' };
    expect(await ask('POST', '/knowledge-base/process-document', uploaded)).toMatchObject(refused);
    const search = { query: 'prices', limit: 50, document_uuids: ['x'], min_similarity: 0.5 };
    expect((await ask('POST', '/knowledge-base/search', search)).body).toEqual({
      chunks: [],
      query: 'prices',
      total_results: 0,
    });
    for (const [place, body, field] of [
      ['upload-url', { mime_type: 'a/b' }, 'filename'],
      ['process-document', { document_uuid: 'x' }, 's3_key'],
      ['search', { query: 'prices', limit: 51 }, 'limit'],
    ] as const)
      expect(await ask('POST', `/knowledge-base/${place}`, body)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', field] }] },
      });
  });

  describe('load for autoscalers (contract 13.4)', () => {
    const operator = (path: string) => api.send({ 'x-dograh-devops-secret': devopsSecret }, 'GET', path);

    test('counts live calls of all organizations and measures the event loop delay', async () => {
      const before = Number(at((await operator('/health/active-calls')).body, 'active_calls'));
      const agent = idAt(
        (
          await ask('POST', '/workflow/create/definition', {
            name: 'a',
            workflow_definition: completeGraph(),
          })
        ).body,
        'id',
      );
      await ask('POST', `/workflow/${agent}/text-chat/sessions`, {});
      expect(await operator('/health/active-calls')).toMatchObject({
        status: 200,
        body: { active_calls: before + 1, loop_lag_p95_ms: 1.5, loop_lag_max_ms: 20 },
      });
      expect((await operator('/health/autoscale-metric')).body).toEqual({ value: before + 1 });
      expect((await operator('/health/autoscale-metric?buffer=3')).body).toEqual({ value: before + 4 });
      await database.db.query("UPDATE calls SET state = 'ended'");
      expect((await operator('/health/active-calls')).body).toMatchObject({ active_calls: 0 });
    });

    test.each(['/health/active-calls', '/health/autoscale-metric'])(
      '%s is refused without the secret, even with an API key',
      async (path) => {
        expect((await ask('GET', path)).status).toBe(403);
        expect(
          (await api.send({ 'x-dograh-devops-secret': 'a-secret-of-25-characters' }, 'GET', path)).status,
        ).toBe(403);
      },
    );

    test.each(['/health/active-calls', '/health/autoscale-metric'])(
      '%s is 404 if the operator has set no secret',
      async (path) => {
        const plain = await startApi(database.db);
        try {
          expect((await plain.send({ 'x-dograh-devops-secret': '' }, 'GET', path)).status).toBe(404);
          expect((await plain.send({ 'x-dograh-devops-secret': 'undefined' }, 'GET', path)).status).toBe(404);
        } finally {
          await plain.close();
        }
      },
    );
  });
});
