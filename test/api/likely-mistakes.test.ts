import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nodeTypes } from '../../src/domain/graph/catalog/node-specs.ts';
import { updateRows } from '../../src/db/rows.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { carrierEvents } from '../../src/db/tables/carrier-events.ts';
import { phoneLegs } from '../../src/db/tables/phone-legs.ts';
import { telephonyConfigurations } from '../../src/db/tables/telephony-configurations.ts';
import { legReference } from '../../src/domain/telephony/client-state.ts';
import { promptVariables, renderTemplate } from '../../src/domain/rendering/render.ts';
import { telephonyPlace } from '../../src/services/telephony/accounts/configurations.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { carrierEventBody, createSigningCarrier } from '../support/carrier-webhooks.ts';
import { createTestDatabase, databases, testSecrets, type TestDatabase } from '../support/database.ts';
import { createFakeCarrier, insertConnection, type FakeCarrier } from '../support/telephony.ts';

/**
 * The check list of contract 17, item by item. 10 is in test/domain/template/render.test.ts and
 * test/workflows/delivery, 15 in test/api/campaigns.test.ts.
 */
describe.each(databases)('likely mistakes, on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let carrier: FakeCarrier;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    carrier = createFakeCarrier();
    api = await startApi(database.db, { carriers: new Map([['telnyx', carrier]]) });
    ({ key, organizationId } = await createTenant(database.db));
    await insertConnection(database.db, organizationId);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const create = async (definition: unknown = completeGraph('Published')) =>
    (await ask('POST', '/workflow/create/definition', { name: 'n', workflow_definition: definition })).body;
  const put = async (id: string, change: unknown) => (await ask('PUT', `/workflow/${id}`, change)).body;
  /** A call with a leg at a connection with this public key. */
  async function insertLine(publicKey: string): Promise<{ callId: number; callUuid: string; url: string }> {
    const { configurationId } = await insertConnection(database.db, organizationId);
    const credentialsEncrypted = testSecrets.seal(
      JSON.stringify({ api_key: 'KEY', connection_id: '1', webhook_public_key: publicKey }),
      telephonyPlace(organizationId),
    );
    await updateRows(database.db.manager, telephonyConfigurations, {
      where: { id: configurationId, organizationId },
      change: { credentialsEncrypted },
    });
    const id = idAt(await create(), 'id');
    const callId = Number(
      idAt((await ask('POST', `/workflow/${id}/text-chat/sessions`, {})).body, 'workflow_run_id'),
    );
    const { uuid: callUuid } = await database.db.getRepository(calls).findOneByOrFail({ id: callId });
    const leg = {
      organizationId,
      callId,
      role: 'main' as const,
      configurationId,
      reference: legReference(callUuid, { role: 'main', attempt: 1 }),
      callControlId: `v3:${callUuid}`,
      legId: null,
      sessionId: null,
      state: 'ringing' as const,
    };
    await database.db.getRepository(phoneLegs).insert({
      ...leg,
      hangupCause: null,
      detection: null,
      dialedAt: new Date(),
      answeredAt: null,
      endedAt: null,
      createdAt: new Date(),
    });
    return { callId, callUuid, url: `/telephony/telnyx/events/${callId}` };
  }
  const greetingOf = (record: unknown) => at(record, 'workflow_definition', 'nodes', 0, 'data', 'greeting');

  test('1: settings have only what was sent, without defaults and merging', async () => {
    const id = idAt(await create(), 'id');
    expect(
      at(await put(id, { workflow_configurations: { max_call_duration: 600 } }), 'workflow_configurations'),
    ).toEqual({ max_call_duration: 600 });
    expect(
      at(await put(id, { workflow_configurations: { max_user_idle_timeout: 5 } }), 'workflow_configurations'),
    ).toEqual({ max_user_idle_timeout: 5 });
  });

  test('2, 3: current_definition_id stays at the published version while the record shows the draft', async () => {
    const created = await create();
    const changed = await put(idAt(created, 'id'), { workflow_definition: completeGraph('Draft') });
    expect([
      at(changed, 'current_definition_id'),
      greetingOf(changed),
      at(changed, 'version_status'),
    ]).toEqual([at(created, 'current_definition_id'), 'Draft', 'draft']);
    expect((await ask('GET', `/workflow/fetch/${idAt(created, 'id')}`)).body).toEqual(changed);
  });

  test('4: the detail of a refused graph is an object, of a refused field an array', async () => {
    const id = idAt(await create({}), 'id');
    expect(at((await ask('POST', `/workflow/${id}/validate`)).body, 'detail')).toMatchObject({
      is_valid: false,
      errors: expect.any(Array),
    });
    expect(at((await ask('PUT', `/workflow/${id}`, { name: 5 })).body, 'detail')).toEqual([
      expect.objectContaining({ type: 'string_type' }),
    ]);
  });

  test('5: a trigger without X-API-Key is a field fault, even with a bearer token; an invalid key is 401', async () => {
    const call = (headers: Record<string, string>) =>
      api.send(headers, 'POST', '/public/agent/any', { phone_number: '4915112345678' });
    const withoutKey: Record<string, string>[] = [{}, { authorization: `Bearer ${key}` }];
    for (const headers of withoutKey)
      expect(await call(headers)).toMatchObject({
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['header', 'X-API-Key'], input: null }] },
      });
    expect((await call({ 'x-api-key': 'prl_unknown' })).status).toBe(401);
  });

  test('6: numbers and booleans in other notations are accepted and stored converted', async () => {
    const sent = {
      max_call_duration: '600',
      turn_start_min_words: 10.0,
      context_compaction_enabled: 'yes',
      smart_turn_stop_secs: '1.5',
    };
    expect(
      at(await put(idAt(await create(), 'id'), { workflow_configurations: sent }), 'workflow_configurations'),
    ).toEqual({
      max_call_duration: 600,
      turn_start_min_words: 10,
      context_compaction_enabled: true,
      smart_turn_stop_secs: 1.5,
    });
  });

  test('7: all faults, in declaration order, and a missing key has the object that lacks it', async () => {
    const mapping = { destination_field: '1' };
    const sent = {
      workflow_configurations: {
        external_pbx_field_mappings: [mapping],
        turn_stop_strategy: 'x',
        max_call_duration: 0,
      },
      name: 5,
    };
    expect((await ask('PUT', '/workflow/1', sent)).body).toMatchObject({
      detail: [
        { type: 'string_type', loc: ['body', 'name'], input: 5 },
        { type: 'greater_than', loc: ['body', 'workflow_configurations', 'max_call_duration'], input: 0 },
        { type: 'literal_error', loc: ['body', 'workflow_configurations', 'turn_stop_strategy'], input: 'x' },
        {
          type: 'missing',
          loc: ['body', 'workflow_configurations', 'external_pbx_field_mappings', 0, 'context_path'],
          input: mapping,
        },
        {
          type: 'string_pattern_mismatch',
          loc: ['body', 'workflow_configurations', 'external_pbx_field_mappings', 0, 'destination_field'],
          input: '1',
        },
      ],
    });
  });

  test('8: only the path of a trigger is added to the data of a node, and every key that is kept is in the catalog', async () => {
    const data = (spec: (typeof specs)[number]) =>
      Object.fromEntries(
        spec.properties.filter((each) => each.default !== null).map((each) => [each.name, each.default]),
      );
    const specs = nodeTypes().node_types;
    const nodes = specs.map((spec) => ({
      id: spec.name,
      type: spec.name,
      position: { x: 0, y: 0 },
      data: data(spec),
    }));
    const stored = at(await create({ nodes, edges: [] }), 'workflow_definition', 'nodes');
    const minted = { trigger_path: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    expect(stored).toEqual(
      nodes.map((node) => (node.type === 'trigger' ? { ...node, data: { ...node.data, ...minted } } : node)),
    );
  });

  test('9: time zones, time without a suffix, and defaults with 0, false, a colon and empty text', () => {
    const values = { zero: 0, no: false, empty: '', name: 'Ada' };
    const now = new Date('2026-11-21T23:30:00Z');
    const rendered = (template: string) =>
      renderTemplate(template, { variables: promptVariables(values), now });
    expect(
      rendered('{{zero | x}} {{no | x}} {{empty | at 10:30}} {{missing | fallback}} {{missing|}}.'),
    ).toBe('0 false at 10:30 fallback .');
    expect([
      rendered('{{current_weekday}}'),
      rendered('{{current_weekday}} {{current_weekday_Asia/Tokyo}}'),
    ]).toEqual(['Saturday', 'Sunday Sunday']);
  });

  test('11: caller and called number follow the direction, and no request overrides the called number', async () => {
    const { body } = await ask('POST', '/workflow/create/definition', {
      name: 'n',
      workflow_definition: triggeredGraph(`list-${kind}`),
    });
    const started = await ask('POST', `/public/agent/list-${kind}`, {
      phone_number: '4915112345678',
      initial_context: { called_number: 'mine', direction: 'inbound' },
    });
    const run = (
      await ask('GET', `/workflow/${idAt(body, 'id')}/runs/${idAt(started.body, 'workflow_run_id')}`)
    ).body;
    expect(at(run, 'initial_context')).toMatchObject({
      called_number: '4915112345678',
      direction: 'outbound',
    });
    expect(at(run, 'call_type')).toBe('outbound');
  });

  test('12: a call keeps its version, whatever is changed and published meanwhile', async () => {
    const created = await create();
    const id = idAt(created, 'id');
    const session = (await ask('POST', `/workflow/${id}/text-chat/sessions`, {})).body;
    await put(id, { workflow_definition: completeGraph('Later') });
    await ask('POST', `/workflow/${id}/publish`);
    const run = idAt(session, 'workflow_run_id');
    expect(at((await ask('GET', `/workflow/${id}/runs/${run}`)).body, 'definition_id')).toBe(
      at(created, 'current_definition_id'),
    );
    expect(await database.db.getRepository(calls).findOneBy({ id: Number(run) })).toMatchObject({
      versionId: at(created, 'current_definition_id'),
    });
  });

  test('13: a refused incoming call is 200, not 4xx, and a repeated event is stored once', async () => {
    const signing = createSigningCarrier();
    const { callUuid, callId, url } = await insertLine(signing.publicKey);
    const post = (path: string, raw: string) => api.send(signing.headers(raw), 'POST', path, JSON.parse(raw));
    const refused = carrierEventBody({
      type: 'call.initiated',
      payload: {
        connection_id: '9',
        direction: 'incoming',
        from: '+4915112345678',
        to: '+12025550199',
        state: 'parked',
      },
    });
    expect(await post('/telephony/inbound/run', refused)).toMatchObject({
      status: 200,
      body: { error: expect.stringContaining('TelephonyError.') },
    });
    const event = carrierEventBody({ type: 'call.answered', id: `e-${callUuid}` });
    expect(await Promise.all([1, 2, 3].map(async () => (await post(url, event)).status))).toEqual([
      200, 200, 200,
    ]);
    expect((await post(url, event)).status).toBe(200);
    expect(await database.db.getRepository(carrierEvents).countBy({ organizationId, callId })).toBe(1);
  });

  test('14: every timestamp in every answer has a time zone', async () => {
    const id = idAt(await create(), 'id');
    const run = idAt((await ask('POST', `/workflow/${id}/text-chat/sessions`, {})).body, 'workflow_run_id');
    await put(id, { workflow_definition: completeGraph('Later') });
    await ask('POST', '/folder/', { name: `f-${kind}` });
    await ask('POST', '/tools/', { name: 't', definition: { type: 'calculator' } });
    await ask('POST', '/credentials/', { name: `c-${kind}`, credential_type: 'none', credential_data: {} });
    const answers = [
      await ask('POST', `/workflow/${id}/publish`),
      ...(await Promise.all(
        [
          `/workflow/fetch/${id}`,
          '/workflow/fetch',
          `/workflow/${id}/versions`,
          `/workflow/${id}/runs`,
          `/workflow/${id}/runs/${run}`,
          `/workflow/${id}/text-chat/sessions/${run}`,
          '/folder/',
          '/tools/',
          '/credentials/',
        ].map((path) => ask('GET', path)),
      )),
    ];
    for (const { status, body } of answers) {
      const moments = JSON.stringify(body).match(/"\d{4}-\d\d-\d\dT[^"]*"/g) ?? [];
      expect([status, moments.length > 0]).toEqual([200, true]);
      for (const moment of moments) expect(moment).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"$/);
    }
  });

  test('16: a generated agent has an agentNode, and a started call is in the usage list when its request is answered', async () => {
    const generated = (
      await ask('POST', '/workflow/create/template', {
        call_type: 'outbound',
        use_case: 'Remind',
        activity_description: 'Remind of an appointment',
      })
    ).body;
    expect([at(generated, 'workflow_definition', 'nodes')].flat().map((each) => at(each, 'type'))).toContain(
      'agentNode',
    );
    const agent = idAt(
      (await ask('POST', '/workflow/create/definition', { name: 'n', workflow_definition: completeGraph() }))
        .body,
      'id',
    );
    const { body } = await ask('POST', '/telephony/initiate-call', {
      workflow_id: Number(agent),
      phone_number: '4915112345678',
    });
    const name = /(WR-[A-Z-]+-\d+)/.exec(String(at(body, 'message')))?.[1];
    expect(at((await ask('GET', '/organizations/usage/runs?page=1&limit=50')).body, 'runs', 0)).toMatchObject(
      { name, workflow_id: Number(agent) },
    );
  });
});
