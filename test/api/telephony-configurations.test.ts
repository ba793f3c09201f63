import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { phoneLegs } from '../../src/db/tables/phone-legs.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { telephonyConfigurations } from '../../src/db/tables/telephony-configurations.ts';
import { credentialFields, telephonyProviderNames } from '../../src/domain/telephony/providers.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import {
  createFakeAccounts,
  givenApplication,
  noAnswer,
  type FakeAccounts,
} from '../support/fake-accounts.ts';
import { scanTables } from '../support/scan.ts';
import { createFakeCarrier, insertConnection } from '../support/telephony.ts';

const base = '/organizations/telephony-configs';
const publicKey = `${'B'.repeat(43)}=`;
const telnyx = (more: object = {}) => ({
  provider: 'telnyx',
  api_key: 'KEY-secret-carrier-1234',
  webhook_public_key: publicKey,
  ...more,
});
const twilio = { provider: 'twilio', account_sid: 'AC1', auth_token: 'twilio-secret-5678' };

describe.each(databases)('connections to carriers on %s (contract 12.1, 12.4)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let accounts: FakeAccounts;
  let key: string;
  let organizationId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    accounts = createFakeAccounts();
    api = await startApi(database.db, {
      accounts: (credentials) => accounts.carriers(credentials),
      carriers: new Map([['telnyx', createFakeCarrier()]]),
    });
  });
  beforeEach(async () => {
    accounts = createFakeAccounts();
    ({ key, organizationId } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const connect = async (name = 'Line', config: object = telnyx(), more: object = {}) =>
    idAt((await ask('POST', base, { name, config, ...more })).body, 'id');
  const numbered = async (id: string) =>
    ask('POST', `${base}/${id}/phone-numbers`, { address: '+12025550147' });
  const listed = async () => at((await ask('GET', base)).body, 'configurations');
  const defaults = async () =>
    (await database.db.getRepository(telephonyConfigurations).findBy({ organizationId }))
      .filter(({ isDefaultOutbound }) => isDefaultOutbound === true)
      .map(({ name }) => name);

  test('a connection is shown with masked secrets and its setup checklist', async () => {
    const made = await ask('POST', base, { name: 'Line', config: telnyx() });
    expect(made).toMatchObject({
      status: 200,
      body: {
        name: 'Line',
        provider: 'telnyx',
        connectivity: 'api',
        is_default_outbound: true,
        inactive: false,
        inactive_since: null,
        inactive_reason: null,
        credentials: {
          api_key: '*******************1234',
          connection_id: '150000000000000001',
          webhook_public_key: publicKey,
        },
        sip_connectivity: null,
        supports_trunks: false,
        trunks: [],
        setup_checklist: {
          ready_for_outbound: false,
          outbound_blocked_reason: 'it has no active phone number',
          docs_url: expect.stringMatching(/^https:/),
        },
      },
    });
    expect(at(made.body, 'credentials')).not.toHaveProperty('has_outbound_profile');
    expect((await ask('GET', `${base}/${idAt(made.body, 'id')}`)).body).toEqual(made.body);
    await numbered(idAt(made.body, 'id'));
    expect(await listed()).toMatchObject([
      { phone_number_count: 1, is_ready_for_outbound: true, outbound_blocked_reason: null },
    ]);
    expect(at((await ask('GET', `${base}/${idAt(made.body, 'id')}`)).body, 'setup_checklist')).toMatchObject({
      ready_for_outbound: true,
      steps: expect.arrayContaining([
        {
          key: 'phone_number',
          title: 'Phone number',
          description: expect.any(String),
          complete: true,
          blocks_outbound: true,
        },
      ]),
    });
  });

  test('an item has exactly the fields of the contract', async () => {
    await connect();
    expect(Object.keys(Object(at(await listed(), 0)))).toEqual([
      'id',
      'name',
      'provider',
      'connectivity',
      'is_default_outbound',
      'inactive',
      'inactive_since',
      'inactive_reason',
      'phone_number_count',
      'is_ready_for_outbound',
      'outbound_blocked_reason',
      'created_at',
      'updated_at',
    ]);
  });

  // guarantee: connection-secrets-masked
  test('there are no plain secrets in the database or in the audit log', async () => {
    const id = await connect('Line', telnyx({ api_key: 'KEY-scanned-0001' }));
    await ask('PUT', `${base}/${id}`, { config: telnyx({ api_key: 'KEY-scanned-0002' }) });
    await connect('Other', { ...twilio, auth_token: 'token-scanned-0003' });
    expect(await scanTables(database.db, ['KEY-scanned', 'token-scanned'])).toEqual([]);
  });

  test('without connection_id an application with our event URL is created; with one it is looked up', async () => {
    await connect('Made');
    expect(accounts.asked).toEqual(['checkCredentials', 'createApplication Parlance: Made']);
    expect(accounts.applications.get('150000000000000001')?.webhookUrl).toBe(
      'http://api.example.test/api/v1/telephony/inbound/run',
    );
    accounts.asked.length = 0;
    await connect('Given', telnyx({ connection_id: givenApplication.connectionId }));
    expect(accounts.asked).toEqual(['checkCredentials', `findApplication ${givenApplication.connectionId}`]);
    expect(
      await ask('POST', base, { name: 'Unknown', config: telnyx({ connection_id: '7' }) }),
    ).toMatchObject({ status: 400, body: { detail: 'The account has no Call Control application 7' } });
  });

  test('a refused key is 400 and stores nothing; a carrier that does not answer is 502', async () => {
    accounts.refusedKeys.add('KEY-refused');
    expect(
      await ask('POST', base, { name: 'Refused', config: telnyx({ api_key: 'KEY-refused' }) }),
    ).toMatchObject({ status: 400, body: { detail: 'Telnyx rejects this API key' } });
    accounts.failure = noAnswer();
    expect(await ask('POST', base, { name: 'Away', config: telnyx() })).toMatchObject({
      status: 502,
      body: { detail: 'The carrier did not answer' },
    });
    expect(await listed()).toEqual([]);
  });

  test('the first connection becomes the default; another one replaces it on request', async () => {
    const first = await connect('First');
    await connect('Second', twilio);
    expect(await defaults()).toEqual(['First']);
    const third = await connect('Third', twilio, { is_default_outbound: true });
    expect(await defaults()).toEqual(['Third']);
    expect(await ask('POST', `${base}/${first}/set-default-outbound`)).toMatchObject({
      status: 200,
      body: { is_default_outbound: true },
    });
    expect(await defaults()).toEqual(['First']);
    expect(at((await ask('GET', `${base}/${third}`)).body, 'is_default_outbound')).toBe(false);
  });

  // guarantee: one-default-connection
  test('of simultaneously created connections one is the default', async () => {
    const many = Array.from({ length: 24 }, (_, index) => `Line ${index}`);
    const answers = await Promise.all(
      many.map((name) => ask('POST', base, { name, config: twilio, is_default_outbound: true })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await defaults()).toHaveLength(1);
  });

  // guarantee: masked-secret-keeps-stored-one
  test('a masked secret that is sent back keeps the stored one, without a request to the carrier', async () => {
    const id = await connect();
    accounts.asked.length = 0;
    const shown = at((await ask('GET', `${base}/${id}`)).body, 'credentials');
    expect(
      await ask('PUT', `${base}/${id}`, {
        name: 'Renamed',
        config: { provider: 'telnyx', ...Object(shown) },
      }),
    ).toMatchObject({ status: 200, body: { name: 'Renamed', credentials: shown } });
    expect(accounts.asked).toEqual([]);
    accounts.refusedKeys.add('KEY-secret-carrier-1234'); // only the stored key is refused: that it is asked shows what was kept
    expect(
      await ask('PUT', `${base}/${id}`, {
        config: {
          provider: 'telnyx',
          api_key: '*******************1234',
          connection_id: givenApplication.connectionId,
        },
      }),
    ).toMatchObject({ status: 400, body: { detail: 'Telnyx rejects this API key' } });
  });

  test('a mask without a stored secret is refused, at creation and later', async () => {
    const refusal = {
      status: 422,
      body: {
        detail: [{ type: 'value_error', loc: ['body', 'config', 'telnyx', 'api_key'], input: '****9999' }],
      },
    };
    expect(await ask('POST', base, { name: 'Line', config: telnyx({ api_key: '****9999' }) })).toMatchObject(
      refusal,
    );
    const id = await connect();
    expect(await ask('PUT', `${base}/${id}`, { config: telnyx({ api_key: '****9999' }) })).toMatchObject(
      refusal,
    );
  });

  test('a new key is checked, and the application is kept if the account has it', async () => {
    const id = await connect();
    accounts.asked.length = 0;
    expect(
      await ask('PUT', `${base}/${id}`, { config: telnyx({ api_key: 'KEY-rotated-7777' }) }),
    ).toMatchObject({
      status: 200,
      body: { credentials: { api_key: '************7777', connection_id: '150000000000000001' } },
    });
    expect(accounts.asked).toEqual(['checkCredentials', 'findApplication 150000000000000001']);
    accounts = createFakeAccounts(); // another account: it does not have that application
    accounts.applications.set('9', { ...givenApplication, connectionId: '9' });
    expect(
      at(
        (
          await ask('PUT', `${base}/${id}`, {
            name: 'Moved',
            config: telnyx({ api_key: 'KEY-other-account' }),
          })
        ).body,
        'credentials',
        'connection_id',
      ),
    ).toBe('150000000000000001');
    expect(accounts.asked).toEqual([
      'checkCredentials',
      'findApplication 150000000000000001',
      'createApplication Parlance: Moved',
    ]);
  });

  test('the carrier of a connection cannot change', async () => {
    const id = await connect();
    expect(await ask('PUT', `${base}/${id}`, { config: twilio })).toMatchObject({
      status: 400,
      body: { detail: 'The provider of a telephony configuration cannot change' },
    });
  });

  test('a name is unique in an organization, but not across organizations', async () => {
    const [, second] = [await connect('Line'), await connect('Other', twilio)];
    expect(await ask('POST', base, { name: 'Line', config: telnyx() })).toMatchObject({ status: 409 });
    expect(await ask('PUT', `${base}/${second}`, { name: 'Line' })).toMatchObject({ status: 409 });
    expect(await ask('PUT', `${base}/${second}`, { name: 'Other' })).toMatchObject({ status: 200 });
    const other = await createTenant(database.db);
    expect((await api.ask(other.key, 'POST', base, { name: 'Line', config: telnyx() })).status).toBe(200);
  });

  test('connections to other carriers are stored and not ready, with a reason that triggers also report', async () => {
    const id = await connect('Twilio', twilio);
    await numbered(id);
    expect(await listed()).toMatchObject([
      { is_ready_for_outbound: false, outbound_blocked_reason: 'this installation cannot dial with twilio' },
    ]);
    await ask('POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: triggeredGraph(`path-${organizationId}`),
    });
    expect(
      await ask('POST', `/public/agent/path-${organizationId}`, { phone_number: '12025550123' }),
    ).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('this installation cannot dial with twilio') },
    });
    expect(accounts.asked).toEqual([]);
  });

  // guarantee: connection-needs-carrier-public-key
  test("without the carrier's public key a connection is not ready, and is counted in the warnings", async () => {
    const id = await connect('Line', telnyx({ webhook_public_key: null }));
    await numbered(id);
    await connect('Vonage', {
      provider: 'vonage',
      api_key: 'k',
      api_secret: 's',
      application_id: 'a',
      private_key: 'p',
    });
    expect(await listed()).toMatchObject([
      {
        is_ready_for_outbound: false,
        outbound_blocked_reason: "the public key for the carrier's events is missing",
      },
      {},
    ]);
    expect((await ask('GET', '/organizations/telephony-config-warnings')).body).toEqual({
      telnyx_missing_webhook_public_key_count: 1,
      vonage_missing_signature_secret_count: 1,
    });
    await ask('PUT', `${base}/${id}`, { config: telnyx() });
    expect((await ask('GET', '/organizations/telephony-config-warnings')).body).toEqual({
      telnyx_missing_webhook_public_key_count: 0,
      vonage_missing_signature_secret_count: 1,
    });
  });

  test('a connection that is switched off is not ready until it is reactivated', async () => {
    const { configurationId } = await insertConnection(database.db, organizationId, {
      inactiveSince: new Date('2026-11-20T10:00:00Z'),
      inactiveReason: 'the key was withdrawn',
    });
    expect(await listed()).toMatchObject([
      {
        inactive: true,
        inactive_since: '2026-11-20T10:00:00.000000Z',
        inactive_reason: 'the key was withdrawn',
        is_ready_for_outbound: false,
      },
    ]);
    expect(await ask('POST', `${base}/${configurationId}/reactivate`)).toMatchObject({
      status: 200,
      body: { inactive: false, inactive_since: null, inactive_reason: null },
    });
    expect(await listed()).toMatchObject([{ is_ready_for_outbound: true }]);
  });

  // guarantee: connection-in-use-not-deleted
  test('deleting also deletes the numbers, and is refused during live calls', async () => {
    const id = await connect();
    await numbered(id);
    const agent = idAt(
      (await ask('POST', '/workflow/create/definition', { name: 'a', workflow_definition: completeGraph() }))
        .body,
      'id',
    );
    const callId = Number(
      idAt((await ask('POST', `/workflow/${agent}/runs`, { mode: 'telnyx', name: 'r' })).body, 'id'),
    );
    await database.db.getRepository(calls).update({ id: callId }, { state: 'talking' });
    await database.db.getRepository(phoneLegs).insert({
      organizationId,
      callId,
      role: 'main',
      configurationId: Number(id),
      reference: `leg-${organizationId}`,
      callControlId: null,
      legId: null,
      sessionId: null,
      state: 'answered',
      hangupCause: null,
      detection: null,
      dialedAt: null,
      answeredAt: null,
      endedAt: null,
      hangUpFrom: null,
      createdAt: new Date(),
    });
    expect(await ask('DELETE', `${base}/${id}`)).toMatchObject({
      status: 409,
      body: { detail: 'Live calls use this telephony configuration' },
    });
    await database.db.getRepository(calls).update({ id: callId }, { state: 'ended' });
    expect(await ask('DELETE', `${base}/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'Telephony configuration deleted' },
    });
    expect(await listed()).toEqual([]);
    expect((await ask('GET', `${base}/${id}/phone-numbers`)).body).toMatchObject({
      detail: 'Telephony configuration not found',
    });
  });

  test.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/set-default-outbound'],
    ['POST', '/reactivate'],
    ['GET', '/trunks'],
    ['GET', '/phone-numbers'],
  ])('%s of an unknown connection%s is 404', async (method, path) => {
    expect(await ask(method, `${base}/999999${path}`, method === 'PUT' ? {} : undefined)).toMatchObject({
      status: 404,
      body: { detail: 'Telephony configuration not found' },
    });
  });

  test('the list of SIP trunks is always empty', async () => {
    const id = await connect();
    expect((await ask('GET', `${base}/${id}/trunks`)).body).toEqual({ trunks: [] });
    expect((await ask('POST', `${base}/${id}/trunks`, {})).status).toBe(405);
  });

  test('a repeated request with its Idempotency-Key makes one application and one connection', async () => {
    const headers = { 'x-api-key': key, 'idempotency-key': `once-${organizationId}` };
    const [one, two] = [
      await api.send(headers, 'POST', base, { name: 'Line', config: telnyx() }),
      await api.send(headers, 'POST', base, { name: 'Line', config: telnyx() }),
    ];
    expect([one.status, two.body]).toEqual([200, one.body]);
    expect(accounts.asked).toEqual(['checkCredentials', 'createApplication Parlance: Line']);
  });

  test('the catalog has exactly the credential fields of each carrier', async () => {
    const described = at((await ask('GET', '/organizations/telephony-providers/metadata')).body, 'providers');
    expect(described).toMatchObject(
      ['ari', 'cloudonix', 'plivo', 'telnyx', 'twilio', 'vobiz', 'vonage'].map((provider) => ({
        provider,
        connectivity: 'api',
      })),
    );
    for (const provider of telephonyProviderNames) {
      const required = Object.entries(credentialFields(provider))
        .filter(([, field]) => field.isRequired)
        .map(([name]) => name);
      const refused = await ask('POST', base, { name: 'Empty', config: { provider } });
      expect(at(refused.body, 'detail')).toMatchObject(
        required.map((name) => ({ type: 'missing', loc: ['body', 'config', provider, name] })),
      );
      const { body } =
        provider === 'telnyx'
          ? await ask('POST', base, { name: provider, config: telnyx() })
          : await ask('POST', base, {
              name: provider,
              config: { provider, ...Object.fromEntries(required.map((name) => [name, 'value-1234'])) },
            });
      expect(Object.keys(Object(at(body, 'credentials'))).toSorted()).toEqual(
        Object.keys(credentialFields(provider)).toSorted(),
      );
    }
  });
});
