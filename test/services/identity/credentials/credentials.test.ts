import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { credentials, type CredentialType } from '../../../../src/db/tables/credentials.ts';
import { NotFoundError } from '../../../../src/domain/errors.ts';
import { randomIds } from '../../../../src/runtime/ids.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  createCredential,
  deleteCredential,
  getCredential,
  listCredentials,
  resolveCredentialHeaders,
  updateCredential,
} from '../../../../src/services/identity/index.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets as secrets,
  type TestDatabase,
} from '../../../support/database.ts';

describe.each(databases)('credentials on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let stranger: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    stranger = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  interface Given {
    type?: CredentialType;
    data?: Record<string, unknown>;
    who?: ServiceContext;
    allowedHosts?: string[];
  }
  const create = (
    name: string = randomIds.uuid(),
    { type = 'bearer_token', data = { token: 'tok-1' }, who = ctx, allowedHosts }: Given = {},
  ) =>
    createCredential({
      ctx: who,
      secrets,
      input: { name, description: null, type, data, allowedHosts: allowedHosts ?? null },
    });
  const resolve = (credentialUuid: string | null, url: string, who = ctx) =>
    resolveCredentialHeaders({
      db: database.db,
      secrets,
      organizationId: who.organizationId,
      credentialUuid,
      url,
    });
  const headers = async (credentialUuid: string | null, who = ctx) => {
    const resolved = await resolve(credentialUuid, 'https://shop.example/', who);
    return resolved.kind === 'headers' ? resolved.headers : resolved.reason;
  };
  const rowOf = (uuid: string) => database.db.getRepository(credentials).findOneByOrFail({ uuid });

  const kinds: [CredentialType, Record<string, string>, Record<string, string>][] = [
    ['none', {}, {}],
    ['api_key', { header_name: 'X-Key', api_key: 'k-1' }, { 'X-Key': 'k-1' }],
    ['bearer_token', { token: 'tok-1' }, { Authorization: 'Bearer tok-1' }],
    [
      'basic_auth',
      { username: 'Jürgen', password: 'pa:ss' },
      { Authorization: `Basic ${Buffer.from('Jürgen:pa:ss').toString('base64')}` },
    ],
    ['custom_header', { header_name: 'X-Custom', header_value: 'v' }, { 'X-Custom': 'v' }],
  ];

  test.each(kinds)(
    'of type %s: become their header, and answers never contain the data',
    async (type, data, expected) => {
      const name = randomIds.uuid();
      const made = await create(name, { type, data: { ...data, extra: 'dropped' } });
      expect(made).toEqual({
        uuid: expect.any(String),
        name,
        description: null,
        credential_type: type,
        allowed_hosts: null,
        created_at: expect.stringMatching(/\.\d{6}Z$/),
        updated_at: expect.stringMatching(/\.\d{6}Z$/),
      });
      expect(await headers(made.uuid)).toEqual(expected);
      expect(await getCredential({ ctx, input: { uuid: made.uuid } })).toEqual(made);
      expect(await listCredentials({ ctx })).toContainEqual(made);
    },
  );

  const needed = kinds.flatMap(([type, data]) => Object.keys(data).map((key) => [type, key, data] as const));
  test.each(needed)('of type %s without a usable %s are refused with 400', async (type, key, data) => {
    for (const broken of [undefined, '', null, 5, {}]) {
      await expect(
        create(randomIds.uuid(), { type, data: { ...data, [key]: broken } }),
      ).rejects.toMatchObject({ status: 400, message: expect.stringContaining(key) });
    }
  });

  // guarantee: credential-sent-to-named-hosts
  test('are sent only to the hosts and ports that they name', async () => {
    const { uuid, allowed_hosts } = await create(randomIds.uuid(), {
      allowedHosts: ['API.example', 'pbx.example:8443', '[::1]:9000', 'süd.example'],
    });
    expect(allowed_hosts).toEqual(['api.example', 'pbx.example:8443', '[::1]:9000', 'xn--sd-xka.example']);
    for (const url of [
      'https://api.example/orders',
      'https://api.example:443/',
      'http://api.example/',
      'https://pbx.example:8443/',
      'http://[::1]:9000/',
      'https://SÜD.example/',
    ])
      expect({ url, ...(await resolve(uuid, url)) }).toMatchObject({ url, kind: 'headers' });
    for (const url of [
      'https://api.example:8443/',
      'https://pbx.example/',
      'https://api.example.thief.example/',
      'https://api.example@thief.example/',
      'https://thief.example/?api.example',
      'not a URL',
    ])
      expect({ url, ...(await resolve(uuid, url)) }).toMatchObject({
        url,
        reason: 'credential_not_for_host',
      });
  });

  test.each(['https://api.example', 'api.example/path', 'a b', '', '*', '*.example', 'u@api.example', 'x:y'])(
    'refuse %j as a host',
    async (entry) => {
      await expect(create(randomIds.uuid(), { allowedHosts: ['api.example', entry] })).rejects.toMatchObject({
        detail: [{ loc: ['body', 'allowed_hosts', 1] }],
      });
    },
  );

  // guarantee: stored-credential-keeps-its-hosts
  test('get other hosts only together with their data', async () => {
    const { uuid } = await create(randomIds.uuid(), { allowedHosts: ['api.example'] });
    const change = (input: { allowedHosts: string[]; data?: Record<string, string> }) =>
      updateCredential({ ctx, secrets, input: { uuid, ...input } });
    for (const allowedHosts of [[], ['thief.example'], ['api.example', 'thief.example']])
      await expect(change({ allowedHosts })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('credential_data'),
      });
    expect(await resolve(uuid, 'https://thief.example/')).toMatchObject({ kind: 'refused' });
    const data = { token: 'tok-2' };
    expect(await change({ allowedHosts: ['new.example'], data })).toMatchObject({
      allowed_hosts: ['new.example'],
    });
    expect(await change({ allowedHosts: [], data })).toMatchObject({ allowed_hosts: null });
  });

  // guarantee: credentials-sealed-in-database
  test('the table contains no data in clear', async () => {
    const { uuid } = await create(randomIds.uuid(), { data: { token: 'very-secret-token' } });
    const row = await rowOf(uuid);
    expect(row.dataEncrypted).toMatch(/^v1\.test\./);
    expect(JSON.stringify(await database.db.query('SELECT * FROM credentials'))).not.toContain(
      'very-secret-token',
    );
  });

  test("data that is moved to another organization's row cannot be opened", async () => {
    const [own, foreign] = [await create(), await create(randomIds.uuid(), { who: stranger })];
    await database.db
      .getRepository(credentials)
      .update({ uuid: foreign.uuid }, { dataEncrypted: (await rowOf(own.uuid)).dataEncrypted });
    await expect(headers(foreign.uuid, stranger)).rejects.toMatchObject({ code: 'invariant' });
  });

  test('names are unique among the live credentials of an organization, and sensitive to case and accents', async () => {
    const name = randomIds.uuid();
    const { uuid } = await create(`José ${name}`);
    await create(`Jose ${name}`);
    await create(`JOSÉ ${name}`);
    await create(`José ${name}`, { who: stranger });
    await expect(create(`José ${name}`)).rejects.toMatchObject({ code: 'conflict' });
    const other = await create();
    await expect(
      updateCredential({ ctx, secrets, input: { uuid: other.uuid, name: `José ${name}` } }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await deleteCredential({ ctx, input: { uuid } });
    expect((await create(`José ${name}`)).uuid).not.toBe(uuid);
  });

  test("accepts a name of 255 characters, and refuses a longer one with the wire's record", async () => {
    const { uuid } = await create('😀'.repeat(255));
    const record = [
      { type: 'string_too_long', loc: ['body', 'name'], input: '😀'.repeat(256), ctx: { max_length: 255 } },
    ];
    await expect(create('😀'.repeat(256))).rejects.toMatchObject({ code: 'validation', detail: record });
    await expect(
      updateCredential({ ctx, secrets, input: { uuid, name: '😀'.repeat(256) } }),
    ).rejects.toMatchObject({ code: 'validation', detail: record });
  });

  test('an update changes only the given fields; new data applies at once', async () => {
    const made = await create();
    expect(
      await updateCredential({ ctx, secrets, input: { uuid: made.uuid, description: 'For the CRM' } }),
    ).toMatchObject({ name: made.name, description: 'For the CRM', credential_type: 'bearer_token' });
    expect(await headers(made.uuid)).toEqual({ Authorization: 'Bearer tok-1' });
    await updateCredential({ ctx, secrets, input: { uuid: made.uuid, data: { token: 'tok-2' } } });
    expect(await headers(made.uuid)).toEqual({ Authorization: 'Bearer tok-2' });
    await expect(
      updateCredential({ ctx, secrets, input: { uuid: made.uuid, type: 'api_key' } }),
    ).rejects.toMatchObject({ status: 400 });
    await updateCredential({
      ctx,
      secrets,
      input: { uuid: made.uuid, type: 'api_key', data: { header_name: 'X-Key', api_key: 'k' } },
    });
    expect(await headers(made.uuid)).toEqual({ 'X-Key': 'k' });
  });

  test('deletion removes a credential from all answers, and its data from the table', async () => {
    const { uuid } = await create();
    expect(await deleteCredential({ ctx, input: { uuid } })).toEqual({ status: 'deleted', uuid });
    expect((await rowOf(uuid)).dataEncrypted).toBe('');
    expect(await headers(uuid)).toEqual({});
    expect((await listCredentials({ ctx })).map((each) => each.uuid)).not.toContain(uuid);
    await expect(deleteCredential({ ctx, input: { uuid } })).rejects.toBeInstanceOf(NotFoundError);
  });

  test('a rename during a deletion does not keep the name', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [name, wanted] = [randomIds.uuid(), randomIds.uuid()];
      const { uuid } = await create(name);
      await Promise.allSettled([
        deleteCredential({ ctx, input: { uuid } }),
        updateCredential({ ctx, secrets, input: { uuid, name: wanted } }),
      ]);
      await expect(create(wanted)).resolves.toMatchObject({ name: wanted });
    }
  });

  test('every operation refuses another organization and invalid ids', async () => {
    const { uuid } = await create();
    for (const [who, id] of [
      [stranger, uuid],
      [ctx, randomIds.uuid()],
      [ctx, 'nonsense'],
      [ctx, 'é😀'],
      [ctx, `${uuid} `],
      [ctx, uuid.toUpperCase()],
    ] as const) {
      await expect(getCredential({ ctx: who, input: { uuid: id } })).rejects.toThrow('Credential not found');
      await expect(
        updateCredential({ ctx: who, secrets, input: { uuid: id, name: 'Stolen' } }),
      ).rejects.toBeInstanceOf(NotFoundError);
      await expect(deleteCredential({ ctx: who, input: { uuid: id } })).rejects.toBeInstanceOf(NotFoundError);
      expect(await headers(id, who)).toEqual({});
    }
    expect(await listCredentials({ ctx: stranger })).not.toContainEqual(expect.objectContaining({ uuid }));
    expect(await getCredential({ ctx, input: { uuid } })).toMatchObject({ uuid });
  });

  test('an absent credential adds no header', async () => {
    expect(await headers(null)).toEqual({});
  });
});
