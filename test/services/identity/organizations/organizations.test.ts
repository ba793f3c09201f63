import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { organizations } from '../../../../src/db/tables/organizations.ts';
import { signInLinks } from '../../../../src/db/tables/sign-in-links.ts';
import { users } from '../../../../src/db/tables/users.ts';
import { systemClock } from '../../../../src/runtime/clock.ts';
import { randomIds } from '../../../../src/runtime/ids.ts';
import { hashKey } from '../../../../src/services/identity/api-keys/hash.ts';
import {
  authenticateKey,
  createOrganization,
  liveWebhookSecrets,
} from '../../../../src/services/identity/index.ts';
import {
  createTestDatabase,
  databases,
  testSecrets as secrets,
  type TestDatabase,
} from '../../../support/database.ts';
import { newSignInLink } from '../../../../tools/bootstrap/sign-in-link.mjs';
import { runNode } from '../../../support/process.ts';

const log = pino({ level: 'silent' });

describe.each(databases)('organizations on %s', (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => await database.drop());

  const create = (email: string) =>
    createOrganization({
      ctx: {
        actor: { kind: 'system', name: 'test' },
        db: database.db,
        clock: systemClock,
        ids: randomIds,
        log,
      },
      secrets,
      input: { name: 'Acme', email, keyName: 'Default API Key' },
    });

  test('begin with a user, a working API key and a live webhook secret', async () => {
    const made = await create('first@example.test');
    expect(
      await authenticateKey({ db: database.db, clock: systemClock, log, key: made.key.key }),
    ).toMatchObject({ organizationId: made.organizationId, actor: { userId: made.userId } });
    expect(
      await liveWebhookSecrets({ db: database.db, secrets, organizationId: made.organizationId }),
    ).toHaveLength(1);
    const actions = (
      await database.db.getRepository(auditEvents).findBy({ organizationId: made.organizationId })
    ).map((event) => event.action);
    expect(new Set(actions)).toEqual(
      new Set(['organization.created', 'user.created', 'webhook_secret.added', 'api_key.created']),
    );
  });

  test('are created completely or not at all', async () => {
    await create('taken@example.test');
    const before = await database.db.getRepository(organizations).count();
    await expect(create('taken@example.test')).rejects.toThrow(/uq_users_email/);
    expect(await database.db.getRepository(organizations).count()).toBe(before);
  });

  test('the seed creates the demo organization once, prints its key only then, and writes nothing else to standard output', async () => {
    const env = {
      DATABASE_URL: database.url,
      PARLANCE_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      PARLANCE_LOG_LEVEL: 'silent',
    };
    const outputs: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const seeding = runNode('src/services/identity/seed-main.ts', { env });
      expect(await seeding.ended).toMatchObject({ code: 0 });
      outputs.push(seeding.output().trim());
    }
    const [first, second]: { organizationId: number; apiKey: string | null }[] = outputs.map((output) =>
      JSON.parse(output),
    );
    expect(second).toEqual({ organizationId: first?.organizationId, apiKey: null });
    expect(
      await authenticateKey({ db: database.db, clock: systemClock, log, key: first?.apiKey ?? '' }),
    ).toMatchObject({ organizationId: first?.organizationId });
  });

  test('npm start links the user of the demo organization to the console with a fresh token, or says why not', async () => {
    const link = await newSignInLink({ apiUrl: 'http://localhost:8000', databaseUrl: database.url });
    const [, token = ''] = /^http:\/\/localhost:8000\/#sign-in=([\w-]{43})$/.exec(link ?? '') ?? [];
    const user = await database.db.getRepository(users).findOneByOrFail({ email: 'demo@parlance.example' });
    expect(await database.db.getRepository(signInLinks).findBy({})).toMatchObject([
      { userId: user.id, tokenHash: hashKey(token) },
    ]);
    expect(await newSignInLink({ apiUrl: '', databaseUrl: 'mysql://nobody@127.0.0.1:9/nothing' })).toBeNull();
  });
});
