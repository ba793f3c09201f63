import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ToolDefinition } from '../../../../src/contract/tools.ts';
import { credentials } from '../../../../src/db/tables/credentials.ts';
import { secondFactors } from '../../../../src/db/tables/second-factors.ts';
import { telephonyConfigurations } from '../../../../src/db/tables/telephony-configurations.ts';
import { tools } from '../../../../src/db/tables/tools.ts';
import { createSecretBox } from '../../../../src/providers/secrets/aes-gcm.ts';
import type { SecretBox } from '../../../../src/providers/secrets/port.ts';
import { createTickets } from '../../../../src/providers/secrets/tickets.ts';
import { randomIds } from '../../../../src/runtime/ids.ts';
import {
  createCredential,
  deleteCredential,
  resolveCredentialHeaders,
  updateCredential,
  addWebhookSecret,
  liveWebhookSecrets,
  retireWebhookSecret,
  secondFactorPlace,
} from '../../../../src/services/identity/index.ts';
import { createTool, openedConfig } from '../../../../src/services/agents/index.ts';
import {
  actingUserId,
  claimIdempotencyKey,
  completeIdempotencyKey,
} from '../../../../src/services/kernel/index.ts';
import { saveModelConfiguration } from '../../../../src/services/models/index.ts';
import { readConfiguration } from '../../../../src/services/models/internal.ts';
import { rotateSecrets } from '../../../../src/services/data-lifecycle/rotation/rotate.ts';
import { telephonyPlace } from '../../../../src/services/telephony/accounts/configurations.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../../../support/database.ts';

const oldKey = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const newKey = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const [before, during, after] = [
  createSecretBox(oldKey),
  createSecretBox(`${newKey},${oldKey}`),
  createSecretBox(newKey),
];

describe.each(bothDatabases)('rotating the encryption key on %s', (kind) => {
  let database: TestDatabase;
  let tenants: ServiceContext[];

  beforeAll(async () => {
    // The rotation opens every secret of the database, and these key rings have no key for the neighbor's.
    database = await createTestDatabase(kind, { hasNeighbor: false });
    tenants = [await createTestContext(database.db), await createTestContext(database.db)];
  });
  afterAll(async () => await database.drop());

  const rotate = (secrets: SecretBox) =>
    rotateSecrets({ db: database.db, secrets, answers: createTickets(secrets) });
  const create = (ctx: ServiceContext, token: string) =>
    createCredential({
      ctx,
      secrets: before,
      input: { name: randomIds.uuid(), description: null, type: 'bearer_token', data: { token } },
    });

  test('seals all secrets of every organization under the new key, so that the old one can be removed', async () => {
    const made = [];
    for (const ctx of tenants) {
      const [first, second] = [
        await addWebhookSecret({ ctx, secrets: before }),
        await addWebhookSecret({ ctx, secrets: before }),
      ];
      await retireWebhookSecret({ ctx, input: { uuid: first.id } });
      const { uuid } = await create(ctx, `token of ${ctx.organizationId}`);
      await deleteCredential({ ctx, input: { uuid: (await create(ctx, 'gone')).uuid } });
      const at = new Date();
      const credentialsEncrypted = before.seal(
        `{"api_key":"of ${ctx.organizationId}"}`,
        telephonyPlace(ctx.organizationId),
      );
      await database.db.getRepository(telephonyConfigurations).insert({
        organizationId: ctx.organizationId,
        name: 'Main',
        provider: 'telnyx',
        connectivity: 'api',
        isDefaultOutbound: true,
        credentialsEncrypted,
        inactiveSince: null,
        inactiveReason: null,
        createdAt: at,
        updatedAt: at,
      });
      await saveModelConfiguration({
        ctx: { ...ctx, secrets: before },
        input: {
          mode: 'byok',
          byok: {
            mode: 'pipeline',
            pipeline: { llm: { provider: 'groq', model: 'm', api_key: `key of ${ctx.organizationId}` } },
          },
        },
      });
      await createTool({
        ctx: { ...ctx, secrets: before },
        input: {
          name: 'Tool',
          description: null,
          icon: '',
          iconColor: '',
          definition: ToolDefinition.parse({
            type: 'http_api',
            config: {
              method: 'GET',
              url: 'https://crm.example.com',
              headers: { Authorization: `of ${ctx.organizationId}` },
            },
          }),
        },
      });
      const userId = actingUserId(ctx);
      const secretEncrypted = before.seal(`app of ${userId}`, secondFactorPlace(userId));
      await database.db
        .getRepository(secondFactors)
        .insert({ userId, secretEncrypted, onSince: at, lastStep: 1, recoveryHashes: [] });
      made.push({ ctx, uuid, signing: second.secret });
    }
    expect(await rotate(during)).toBe(14);
    expect(await rotate(during)).toBe(0);

    for (const { ctx, uuid, signing } of made) {
      const { organizationId } = ctx;
      const userId = actingUserId(ctx);
      const { secretEncrypted } = await database.db.getRepository(secondFactors).findOneByOrFail({ userId });
      expect(after.open(secretEncrypted, secondFactorPlace(userId))).toBe(`app of ${userId}`);
      expect(
        await resolveCredentialHeaders({
          db: database.db,
          secrets: after,
          organizationId,
          credentialUuid: uuid,
          url: 'https://shop.example/',
        }),
      ).toEqual({ kind: 'headers', headers: { Authorization: `Bearer token of ${organizationId}` } });
      const { credentialsEncrypted } = await database.db
        .getRepository(telephonyConfigurations)
        .findOneByOrFail({ organizationId });
      expect(after.open(credentialsEncrypted, telephonyPlace(organizationId))).toBe(
        `{"api_key":"of ${organizationId}"}`,
      );
      expect(await liveWebhookSecrets({ db: database.db, secrets: after, organizationId })).toEqual([
        signing,
      ]);
      expect(
        openedConfig(after, await database.db.getRepository(tools).findOneByOrFail({ organizationId })),
      ).toMatchObject({ headers: { Authorization: `of ${organizationId}` } });
      expect(await readConfiguration({ db: database.db, secrets: after, organizationId })).toMatchObject({
        byok: { pipeline: { llm: { api_key: `key of ${organizationId}` } } },
      });
    }
    const stored = await database.db.query(
      "SELECT data_encrypted AS sealed FROM credentials WHERE data_encrypted <> '' UNION ALL SELECT secret_encrypted FROM webhook_secrets UNION ALL SELECT credentials_encrypted FROM telephony_configurations UNION ALL SELECT configuration_encrypted FROM model_configurations UNION ALL SELECT definition FROM tools UNION ALL SELECT secret_encrypted FROM second_factors",
    );
    expect(JSON.stringify(stored)).not.toContain('v1.old.');
  });

  test('keeps the stored answers of keyed requests readable', async () => {
    const [ctx] = tenants;
    if (ctx === undefined) throw new Error('no tenant');
    const input = { key: 'kept', requestHash: 'a'.repeat(64) };
    await claimIdempotencyKey({ ctx, input });
    await completeIdempotencyKey({
      ctx,
      input: { key: 'kept', responseStatus: 200, responseBody: createTickets(before).seal('{"id":1}') },
    });
    expect(await rotate(during)).toBe(1);
    const claim = await claimIdempotencyKey({ ctx: { ...ctx }, input });
    expect(claim.kind === 'completed' ? createTickets(after).open(claim.responseBody) : claim).toBe(
      '{"id":1}',
    );
  });

  test('processes more rows than one page', async () => {
    const [ctx] = tenants;
    const sealed = before.seal('{"token":"t"}', {
      table: 'credentials',
      column: 'data_encrypted',
      organizationId: ctx?.organizationId ?? 0,
    });
    const at = new Date();
    const row = () => ({
      uuid: randomIds.uuid(),
      organizationId: ctx?.organizationId ?? 0,
      name: 'Many',
      liveName: null,
      description: null,
      type: 'bearer_token' as const,
      dataEncrypted: sealed,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    });
    await database.db.getRepository(credentials).insert(Array.from({ length: 450 }, row));
    expect(await rotate(during)).toBe(450);
  });

  test('keeps the new data of a credential that is changed meanwhile', async () => {
    const [ctx] = tenants;
    if (ctx === undefined) throw new Error('no tenant');
    const { uuid } = await create(ctx, 'first');
    await Promise.all([
      rotate(during),
      updateCredential({ ctx, secrets: during, input: { uuid, data: { token: 'second' } } }),
    ]);
    expect(
      await resolveCredentialHeaders({
        db: database.db,
        secrets: after,
        organizationId: ctx.organizationId,
        credentialUuid: uuid,
        url: 'https://shop.example/',
      }),
    ).toEqual({ kind: 'headers', headers: { Authorization: 'Bearer second' } });
  });

  test("stops at a secret whose key is not in the ring, names the key's id, and loses nothing", async () => {
    const [ctx] = tenants;
    if (ctx === undefined) throw new Error('no tenant');
    const { uuid } = await create(ctx, 'kept');
    await expect(rotate(after)).rejects.toThrow('The encryption key old is not in the key ring');
    expect(
      await resolveCredentialHeaders({
        db: database.db,
        secrets: before,
        organizationId: ctx.organizationId,
        credentialUuid: uuid,
        url: 'https://shop.example/',
      }),
    ).toEqual({ kind: 'headers', headers: { Authorization: 'Bearer kept' } });
  });
});
