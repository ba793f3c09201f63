import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startCarrierEmulator, type CarrierEmulator } from '../../emulators/carrier/server.ts';
import { credentialText } from '../../src/domain/telephony/credentials.ts';
import { createTelnyxAccounts } from '../../src/providers/carrier/telnyx/calls.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeCarrier } from '../support/telephony.ts';

/**
 * The same requests as in `telephony-configurations.test.ts` and `phone-numbers.test.ts`, with the carrier's
 * own client and a simulated carrier.
 */

const configs = '/organizations/telephony-configs';

describe('accounts at the carrier, with its own client', () => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let emulator: CarrierEmulator;
  let key: string;
  let apiKey: string;

  beforeAll(async () => {
    [database, emulator] = [await createTestDatabase('mariadb'), await startCarrierEmulator()];
    const accounts = createTelnyxAccounts({ baseUrl: emulator.url, simulated: true, timeoutMs: 10_000 });
    api = await startApi(database.db, {
      accounts: ({ credentials }) => accounts(credentialText(credentials, 'api_key') ?? ''),
      carriers: new Map([['telnyx', createFakeCarrier()]]),
    });
  });
  beforeEach(async () => {
    const tenant = await createTenant(database.db);
    key = tenant.key;
    apiKey = `simulated-account-${tenant.organizationId}`;
  });
  afterAll(async () => {
    await Promise.all([api.close(), emulator.close()]);
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const connect = (more: object = {}) =>
    ask('POST', configs, {
      name: 'Line',
      config: { provider: 'telnyx', api_key: apiKey, webhook_public_key: emulator.publicKey, ...more },
    });
  const atCarrier = async (path: string, token = apiKey): Promise<unknown> =>
    await (await fetch(`${emulator.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  const control = async (path: string, body: unknown) => {
    const answer = await fetch(`${new URL(emulator.url).origin}/emulator/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, answer.status]).toEqual([path, 200]);
  };

  test('an application is created with an outbound profile and our URL, and its id is stored', async () => {
    const made = await connect();
    expect(made).toMatchObject({
      status: 200,
      body: {
        setup_checklist: {
          outbound_blocked_reason: 'it has no active phone number',
          steps: expect.arrayContaining([
            expect.objectContaining({ key: 'outbound_profile', complete: true }),
          ]),
        },
      },
    });
    expect(
      at(
        await atCarrier(`/call_control_applications/${idAt(made.body, 'credentials', 'connection_id')}`),
        'data',
      ),
    ).toMatchObject({
      application_name: 'Parlance: Line',
      webhook_event_url: 'http://api.example.test/api/v1/telephony/inbound/run',
      outbound: { outbound_voice_profile_id: expect.any(String) },
    });
  });

  test('a refused key and an unknown application are 400', async () => {
    expect(await connect({ api_key: 'KEY-of-nobody' })).toMatchObject({
      status: 400,
      body: { detail: 'Telnyx rejects this API key' },
    });
    expect(await connect({ connection_id: '1494404757140276705' })).toMatchObject({
      status: 400,
      body: { detail: 'The account has no Call Control application 1494404757140276705' },
    });
  });

  test('a number of the account is accepted, another one is refused', async () => {
    const made = await connect();
    const connectionId = idAt(made.body, 'credentials', 'connection_id');
    await control('numbers', {
      key: apiKey,
      numbers: [{ phone_number: '+12025550147', connection_id: connectionId }],
    });
    const numbers = `${configs}/${idAt(made.body, 'id')}/phone-numbers`;
    expect(await ask('POST', numbers, { address: '(202) 555-0147', country_code: 'US' })).toMatchObject({
      status: 200,
      body: { address_normalized: '+12025550147' },
    });
    // The carrier's filter also finds parts of numbers.
    expect(await ask('POST', numbers, { address: '+1202555014' })).toMatchObject({
      status: 400,
      body: { detail: 'The Telnyx account does not own this phone number' },
    });
  });

  test('assigning an agent sets the event URL of the application; detaching does not change it', async () => {
    const other = await connect();
    const connectionId = idAt(other.body, 'credentials', 'connection_id');
    await fetch(`${emulator.url}/call_control_applications/${connectionId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        application_name: 'Renamed at the portal',
        webhook_event_url: 'https://elsewhere.example.com/',
      }),
    });
    const agent = Number(
      idAt(
        (
          await ask('POST', '/workflow/create/definition', {
            name: 'a',
            workflow_definition: completeGraph(),
          })
        ).body,
        'id',
      ),
    );
    const numbers = `${configs}/${idAt(other.body, 'id')}/phone-numbers`;
    const added = await ask('POST', numbers, { address: '+12025550147', inbound_workflow_id: agent });
    expect(added).toMatchObject({ status: 200, body: { provider_sync: { ok: true } } });
    const ours = {
      application_name: 'Renamed at the portal',
      webhook_event_url: 'http://api.example.test/api/v1/telephony/inbound/run',
    };
    expect(at(await atCarrier(`/call_control_applications/${connectionId}`), 'data')).toMatchObject(ours);
    await ask('PUT', `${numbers}/${idAt(added.body, 'id')}`, { clear_inbound_workflow: true });
    expect(at(await atCarrier(`/call_control_applications/${connectionId}`), 'data')).toMatchObject(ours);
  });

  test('a failing carrier is 502 and stores nothing; a later failed update is reported', async () => {
    const made = await connect();
    const numbers = `${configs}/${idAt(made.body, 'id')}/phone-numbers`;
    const id = idAt((await ask('POST', numbers, { address: '+12025550147' })).body, 'id');
    const agent = Number(
      idAt(
        (
          await ask('POST', '/workflow/create/definition', {
            name: 'a',
            workflow_definition: completeGraph(),
          })
        ).body,
        'id',
      ),
    );
    const fails = (answer: 'error' | 'silence' | 'reset') =>
      emulator.arrange({ command: 'account', how: { kind: 'no_effect', answer } });
    fails('error');
    expect((await ask('POST', numbers, { address: '+12025550148' })).status).toBe(502);
    fails('silence');
    expect(
      (await ask('POST', configs, { name: 'Other', config: { provider: 'telnyx', api_key: apiKey } })).status,
    ).toBe(502);
    fails('reset');
    expect(await ask('PUT', `${numbers}/${id}`, { inbound_workflow_id: agent })).toMatchObject({
      status: 200,
      body: { inbound_workflow_id: agent, provider_sync: { ok: false } },
    });
    expect(
      [
        at((await ask('GET', numbers)).body, 'phone_numbers'),
        at((await ask('GET', configs)).body, 'configurations'),
      ].map((list) => Object(list).length),
    ).toEqual([1, 1]);
  });
});
