import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import {
  createFakeAccounts,
  givenApplication,
  noAnswer,
  type FakeAccounts,
} from '../support/fake-accounts.ts';
import { createFakeCarrier } from '../support/telephony.ts';

const configs = '/organizations/telephony-configs';
const inboundUrl = 'http://api.example.test/api/v1/telephony/inbound/run';
const telnyx = {
  provider: 'telnyx',
  api_key: 'KEY-1',
  connection_id: givenApplication.connectionId,
  webhook_public_key: `${'B'.repeat(43)}=`,
};

describe.each(databases)('phone numbers on %s (contract 12.2, 12.4)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let accounts: FakeAccounts;
  let key: string;
  let organizationId: number;
  let base: string;

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
    base = `${configs}/${await connect('Line', telnyx)}/phone-numbers`;
    accounts.asked.length = 0;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const connect = async (name: string, config: object) =>
    idAt((await ask('POST', configs, { name, config })).body, 'id');
  const add = async (body: object = { address: '+12025550147' }) => await ask('POST', base, body);
  const agent = async (name = 'Desk') =>
    Number(
      idAt(
        (await ask('POST', '/workflow/create/definition', { name, workflow_definition: completeGraph() }))
          .body,
        'id',
      ),
    );
  const stored = async () => await database.db.getRepository(phoneNumbers).findBy({ organizationId });

  test('a number is stored as entered and as dialed', async () => {
    const added = await add({
      address: '(555) 123-0001',
      country_code: 'us',
      label: 'Desk',
      extra_metadata: { team: 'a' },
    });
    expect(added).toMatchObject({
      status: 200,
      body: {
        address: '(555) 123-0001',
        address_normalized: '+15551230001',
        address_type: 'pstn',
        country_code: 'US',
        label: 'Desk',
        inbound_workflow_id: null,
        inbound_workflow_name: null,
        telephony_trunk_id: null,
        is_active: true,
        is_default_caller_id: false,
        extra_metadata: { team: 'a' },
        provider_sync: { ok: true, message: expect.any(String) },
      },
    });
    expect((await ask('GET', `${base}/${idAt(added.body, 'id')}`)).body).toEqual({
      ...Object(added.body),
      provider_sync: null,
    });
    expect(accounts.asked).toEqual(['findNumber +15551230001']);
  });

  test.each([
    [
      { address: '5551230001' },
      'Value error, a national number needs country_code, or write it with + and its country code',
    ],
    [{ address: '5551230001', country_code: 'ZZ' }, 'Value error, address is not a phone number of ZZ'],
    [{ address: 'call me' }, 'Value error, address is not a phone number, extension or sip: address'],
  ])('%j is a 422 at the body', async (body, msg) => {
    expect(await add(body)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'value_error', loc: ['body'], msg, input: body, ctx: { error: {} } }] },
    });
    expect(accounts.asked).toEqual([]);
  });

  // guarantee: number-must-belong-to-account
  test('a number that the account does not own is 400, a failed check is 502, and neither is stored', async () => {
    accounts.numbers = new Map();
    expect(await add()).toMatchObject({
      status: 400,
      body: { detail: 'The Telnyx account does not own this phone number' },
    });
    expect(await add({ address: '1234' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('only public phone numbers') },
    });
    accounts.failure = noAnswer();
    expect(await add()).toMatchObject({ status: 502, body: { detail: 'The carrier did not answer' } });
    expect(await stored()).toEqual([]);
  });

  test('a number exists once in an organization, in any notation, even with simultaneous requests', async () => {
    const answers = await Promise.all(
      ['+12025550147', '1 202 555 0147', '(202) 555-0147'].map((address) =>
        add({ address, country_code: 'US' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
    expect(await add()).toMatchObject({
      status: 409,
      body: { detail: 'This phone number is already registered' },
    });
    const other = await createTenant(database.db);
    const theirs = idAt(
      (await api.ask(other.key, 'POST', configs, { name: 'Line', config: telnyx })).body,
      'id',
    );
    expect(
      (await api.ask(other.key, 'POST', `${configs}/${theirs}/phone-numbers`, { address: '+12025550147' }))
        .status,
    ).toBe(200);
  });

  test('an unknown agent or trunk is 404', async () => {
    expect(await add({ address: '+12025550147', inbound_workflow_id: 999_999 })).toMatchObject({
      status: 404,
      body: { detail: 'Workflow not found' },
    });
    expect(await add({ address: '+12025550147', telephony_trunk_id: 1 })).toMatchObject({
      status: 404,
      body: { detail: 'Telephony trunk not found' },
    });
    const id = idAt((await add()).body, 'id');
    expect((await ask('PUT', `${base}/${id}`, { inbound_workflow_id: 999_999 })).status).toBe(404);
    expect(await stored()).toMatchObject([{ inboundAgentId: null }]);
  });

  test("assigning an agent sets the event URL of the carrier's application and keeps its name", async () => {
    accounts.numbers = new Map([
      ['+12025550147', { e164: '+12025550147', connectionId: givenApplication.connectionId }],
    ]);
    const inbound = await agent('Desk');
    expect(await add({ address: '+12025550147', inbound_workflow_id: inbound })).toMatchObject({
      status: 200,
      body: {
        inbound_workflow_id: inbound,
        provider_sync: { ok: true, message: 'The carrier routes calls to this number here' },
      },
    });
    expect(accounts.applications.get(givenApplication.connectionId)).toMatchObject({
      name: 'Given',
      webhookUrl: inboundUrl,
    });
    expect(at((await ask('GET', base)).body, 'phone_numbers')).toMatchObject([
      { inbound_workflow_id: inbound, inbound_workflow_name: 'Desk', provider_sync: null },
    ]);
    accounts.asked.length = 0;
    const id = Number((await stored()).at(0)?.id);
    expect(await ask('PUT', `${base}/${id}`, { inbound_workflow_id: await agent('Other') })).toMatchObject({
      body: { provider_sync: { ok: true } },
    });
    expect(accounts.asked.filter((each) => each.startsWith('update'))).toEqual([]);
  });

  // guarantee: shared-application-left-alone
  test('detaching the agent and deleting the number do not change the application', async () => {
    const id = idAt((await add({ address: '+12025550147', inbound_workflow_id: await agent() })).body, 'id');
    accounts.asked.length = 0;
    expect(await ask('PUT', `${base}/${id}`, { clear_inbound_workflow: true })).toMatchObject({
      status: 200,
      body: { inbound_workflow_id: null, provider_sync: { ok: true } },
    });
    expect(await ask('DELETE', `${base}/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'Phone number deleted', provider_sync: { ok: true } },
    });
    expect(accounts.asked).toEqual([]);
    expect(accounts.applications.get(givenApplication.connectionId)?.webhookUrl).toBe(inboundUrl);
    expect(await stored()).toEqual([]);
  });

  test('a number is stored even if the carrier cannot be updated, and the answer reports it', async () => {
    const id = idAt((await add()).body, 'id');
    accounts.failure = noAnswer();
    const inbound = await agent();
    expect(await ask('PUT', `${base}/${id}`, { inbound_workflow_id: inbound })).toMatchObject({
      status: 200,
      body: {
        inbound_workflow_id: inbound,
        provider_sync: {
          ok: false,
          message: 'The carrier could not be set up to route calls here: The carrier did not answer',
        },
      },
    });
    expect(await stored()).toMatchObject([{ inboundAgentId: inbound }]);
  });

  test('the answer reports a number whose calls go to another application', async () => {
    accounts.numbers = new Map([['+12025550147', { e164: '+12025550147', connectionId: 'another' }]]);
    expect(
      at((await add({ address: '+12025550147', inbound_workflow_id: await agent() })).body, 'provider_sync'),
    ).toEqual({
      ok: false,
      message: `Calls to this number do not go to application ${givenApplication.connectionId}: assign the number to it at the carrier`,
    });
  });

  test('a connection has at most one default caller', async () => {
    const first = idAt((await add({ address: '+12025550141', is_default_caller_id: true })).body, 'id');
    await add({ address: '+12025550142', is_default_caller_id: true });
    const isDefault = async () =>
      (await stored())
        .filter(({ isDefaultCallerId }) => isDefaultCallerId === true)
        .map(({ address }) => address);
    expect(await isDefault()).toEqual(['+12025550142']);
    expect(await ask('POST', `${base}/${first}/set-default-caller`)).toMatchObject({
      status: 200,
      body: { is_default_caller_id: true },
    });
    expect(await isDefault()).toEqual(['+12025550141']);
  });

  test('of simultaneously added numbers one is the default caller', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        add({ address: `+120255501${50 + index}`, is_default_caller_id: true }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await stored()).filter(({ isDefaultCallerId }) => isDefaultCallerId === true)).toHaveLength(1);
  });

  test('an update changes only the given fields, and never the address', async () => {
    const id = idAt(
      (await add({ address: '+12025550147', label: 'Desk', extra_metadata: { a: 1 } })).body,
      'id',
    );
    expect(
      (await ask('PUT', `${base}/${id}`, { address: '+12025550199', is_active: false, label: null })).body,
    ).toMatchObject({ address: '+12025550147', label: 'Desk', is_active: false, extra_metadata: { a: 1 } });
    expect(
      (await ask('PUT', `${base}/${id}`, { label: 'Other', country_code: 'de', extra_metadata: {} })).body,
    ).toMatchObject({ label: 'Other', country_code: 'DE', is_active: false, extra_metadata: {} });
  });

  test('a number of another connection and an unknown number are 404', async () => {
    const id = idAt((await add()).body, 'id');
    const other = `${configs}/${await connect('Other', { provider: 'twilio', account_sid: 'a', auth_token: 'b' })}/phone-numbers`;
    for (const path of [`${other}/${id}`, `${base}/999999`]) {
      for (const [method, more, body] of [
        ['GET', '', undefined],
        ['PUT', '', {}],
        ['DELETE', '', undefined],
        ['POST', '/set-default-caller', undefined],
      ] as const) {
        expect(await ask(method, `${path}${more}`, body)).toMatchObject({
          status: 404,
          body: { detail: 'Phone number not found' },
        });
      }
    }
  });

  test('unsupported carriers get no requests, and the answer names the manual steps', async () => {
    const other = `${configs}/${await connect('Twilio', { provider: 'twilio', account_sid: 'a', auth_token: 'b' })}/phone-numbers`;
    expect(
      await ask('POST', other, { address: '+12025550147', inbound_workflow_id: await agent() }),
    ).toMatchObject({
      status: 200,
      body: {
        provider_sync: {
          ok: false,
          message: 'This installation does not support twilio: route its calls at the carrier',
        },
      },
    });
    expect(await ask('POST', other, { address: 'sip:Bob@PBX.example.com' })).toMatchObject({
      status: 200,
      body: { address_type: 'sip_uri', address_normalized: 'sip:Bob@pbx.example.com' },
    });
    expect(accounts.asked).toEqual([]);
  });

  test('the audit log has no phone number', async () => {
    const id = idAt((await add({ address: '+12025550147', label: 'Desk' })).body, 'id');
    await ask('PUT', `${base}/${id}`, { is_active: false });
    await ask('DELETE', `${base}/${id}`);
    const entries = await database.db
      .getRepository(auditEvents)
      .findBy({ organizationId, subjectKind: 'phone_number' });
    expect(entries.map(({ action }) => action)).toEqual([
      'phone_number.created',
      'phone_number.updated',
      'phone_number.deleted',
    ]);
    expect(JSON.stringify(entries)).not.toContain('2025550147');
  });
});
