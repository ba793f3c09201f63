import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsNull, type EntityManager } from 'typeorm';
import { createHash } from 'node:crypto';
import { agents } from '../../src/db/tables/agents.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { triggerPaths } from '../../src/db/tables/trigger-paths.ts';
import { users } from '../../src/db/tables/users.ts';
import { changeRows, countRows, deleteRows, findRow, insertRow, updateRows } from '../../src/db/rows.ts';
import { inTransaction, isDuplicate } from '../../src/db/transaction.ts';
import { randomIds } from '../../src/runtime/ids.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import {
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../support/database.ts';
import { eventually } from '../support/process.ts';

const at = new Date('2026-11-21T10:00:00.123Z');

describe.each(bothDatabases)('rows on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let agentId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
    agentId = await insertAgent('An agent');
  });
  afterAll(async () => await database.drop());

  async function insertAgent(name: string, manager: EntityManager = database.db.manager): Promise<number> {
    const { organizationId } = ctx;
    const row = {
      uuid: randomIds.uuid(),
      organizationId,
      name,
      state: 'active' as const,
      folderId: null,
      dispositionCodes: [],
      publishedVersionId: null,
      draftVersionId: null,
      lastVersionNumber: 1,
      createdAt: at,
      updatedAt: at,
    };
    return (await insertRow(manager, agents, row)).id;
  }

  let number = 0;
  async function roundTrip(definition: Record<string, unknown>): Promise<Record<string, unknown>> {
    number += 1;
    const { organizationId } = ctx;
    const definitionSha256 = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
    const row = {
      organizationId,
      agentId,
      number,
      state: 'draft' as const,
      definition,
      settings: {},
      testValues: {},
      definitionSha256,
      note: null,
      createdAt: at,
      publishedAt: null,
    };
    const { id } = await insertRow(database.db.manager, agentVersions, row);
    const { definition: read } = await database.db
      .getRepository(agentVersions)
      .findOneByOrFail({ id, organizationId });
    await updateRows(database.db.manager, agentVersions, {
      where: { id, organizationId },
      change: { testValues: definition },
    });
    const { testValues } = await database.db
      .getRepository(agentVersions)
      .findOneByOrFail({ id, organizationId });
    expect(JSON.stringify(testValues)).toBe(JSON.stringify(read));
    return read;
  }

  const documents: [string, string][] = [
    ['its key order', '{"zebra":1,"apple":{"b":1,"a":2},"Apple":3,"nodes":[{"y":1,"x":2}]}'],
    ['lone surrogates', String.raw`{"high":"\ud83d","low":"\udc00 end","\ud800":"key"}`],
    [
      'keys called __proto__ and constructor',
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":"x"}',
    ],
    ['emoji, nul and quotes', String.raw`{"text":"😀 \u0000 ' \" \\ %s ? :name"}`],
    ['large and small numbers', '{"a":9007199254740991,"b":1e-7,"c":-0.5,"d":1e+21}'],
    ['empty things', '{"a":{},"b":[],"c":"","d":null,"":0}'],
  ];

  test.each(documents)('a document keeps %s', async (_what, text) => {
    const given: Record<string, unknown> = JSON.parse(text);
    const read = await roundTrip(given);
    expect(JSON.stringify(read)).toBe(JSON.stringify(given));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('a document of megabytes is stored completely', async () => {
    const read = await roundTrip({ text: 'é😀'.repeat(300_000) });
    expect(read['text']).toBe('é😀'.repeat(300_000));
  });

  test('a name keeps every character, including trailing spaces', async () => {
    const name = ' Ünïcode 😀 \u0000 name ';
    const id = await insertAgent(name);
    expect((await database.db.getRepository(agents).findOneByOrFail({ id })).name).toBe(name);
  });

  test('timestamps are read with milliseconds, as UTC', async () => {
    const row = await database.db.getRepository(agents).findOneByOrFail({ id: agentId });
    expect(row.createdAt).toEqual(at);
    const [raw]: { text: string }[] = await database.db.query(
      'SELECT CAST(created_at AS CHAR) AS text FROM agents WHERE id = ?',
      [agentId],
    );
    expect(raw?.text).toBe('2026-11-21 10:00:00.123000');
  });

  test('ids and flags are read as numbers and booleans', async () => {
    const row = await database.db.getRepository(users).findOneByOrFail({ isSuperuser: false });
    expect(typeof row.id).toBe('number');
    expect(row.isSuperuser).toBe(false);
  });

  test('a row found by its columns is the row that TypeORM reads', async () => {
    const [manager, { organizationId }] = [database.db.manager, ctx];
    const definition = { nodes: [{ id: 'é😀' }], edges: [] };
    const { id } = await insertRow(manager, agentVersions, {
      organizationId,
      agentId,
      number: 900,
      state: 'draft',
      definition,
      settings: { a: null },
      testValues: {},
      definitionSha256: 'x',
      note: null,
      createdAt: at,
      publishedAt: null,
    });
    expect(await findRow(manager, agentVersions, { id, organizationId })).toEqual(
      await database.db.getRepository(agentVersions).findOneByOrFail({ id }),
    );
    const user = await database.db.getRepository(users).findOneOrFail({ where: {}, order: { id: 'ASC' } });
    expect(await findRow(manager, users, { id: user.id, isSuperuser: false })).toEqual(user);
    expect(await findRow(manager, agentVersions, { id, organizationId: organizationId + 1 })).toBeNull();
  });

  test('a read with a lock waits for the transaction that holds the row', async () => {
    const { organizationId } = ctx;
    const name = randomIds.uuid();
    const id = await insertAgent(name);
    await database.db
      .transaction(async (first) => {
        await findRow(first, agents, { id, organizationId }, { isLocked: true });
        const second = database.db.transaction((tx) =>
          findRow(tx, agents, { id, organizationId }, { isLocked: true }),
        );
        expect((await findRow(database.db.manager, agents, { id, organizationId }))?.name).toBe(name);
        await updateRows(first, agents, { where: { id, organizationId }, change: { name: 'Changed first' } });
        return { second };
      })
      .then(async ({ second }) => expect((await second)?.name).toBe('Changed first'));
  });

  test('a change affects the rows that values or operators select, and answers their number', async () => {
    const { organizationId } = ctx;
    const ids = [await insertAgent('one'), await insertAgent('two')];
    const change = { name: 'renamed', folderId: null };
    expect(
      await updateRows(database.db.manager, agents, { where: { id: ids[0] ?? 0, organizationId }, change }),
    ).toBe(1);
    expect(
      await updateRows(database.db.manager, agents, { where: { id: ids[0] ?? 0, organizationId }, change }),
    ).toBe(1);
    expect(
      await updateRows(database.db.manager, agents, {
        where: { id: ids[0] ?? 0, organizationId: organizationId + 1 },
        change,
      }),
    ).toBe(0);
    expect(
      await updateRows(database.db.manager, agents, {
        where: { name: 'two', folderId: IsNull(), organizationId },
        change,
      }),
    ).toBe(1);
    expect(await countRows(database.db.manager, agents, { name: 'renamed', organizationId })).toBe(2);
  });

  test('a condition without a value is refused, because it would select the rows of every organization', async () => {
    const where = { organizationId: ctx.organizationId, ...Object.fromEntries([['id', undefined]]) };
    await expect(findRow(database.db.manager, agents, where)).rejects.toThrow('without a value');
    await expect(countRows(database.db.manager, agents, where)).rejects.toThrow('without a value');
  });

  test('trigger paths that differ only in case are different', async () => {
    const path = randomIds.uuid().slice(0, 8);
    for (const each of [`${path}a`, `${path}A`])
      await database.db
        .getRepository(triggerPaths)
        .insert({ path: each, organizationId: ctx.organizationId, agentId, createdAt: at });
    expect(await database.db.getRepository(triggerPaths).countBy({ path: `${path}a` })).toBe(1);
  });

  test('names that differ only in case or accents are different, and the constraint detects equal ones', async () => {
    const insert = (email: string) =>
      database.db.getRepository(users).insert({
        uuid: randomIds.uuid(),
        email,
        name: null,
        passwordHash: null,
        isSuperuser: false,
        createdAt: at,
      });
    for (const email of ['jose@example.test', 'josé@example.test', 'JOSE@example.test']) await insert(email);
    const refused: unknown = await insert('josé@example.test').catch((error: unknown) => error);
    expect(isDuplicate(refused, 'uq_users_email')).toBe(true);
    expect(isDuplicate(refused, 'uq_users_uuid')).toBe(false);
  });

  test('a value that is too long is refused, not truncated', async () => {
    await expect(
      database.db
        .getRepository(triggerPaths)
        .insert({ path: 'x'.repeat(37), organizationId: ctx.organizationId, agentId, createdAt: at }),
    ).rejects.toThrow(/too long/i);
  });

  test('a row of an organization that does not exist is refused', async () => {
    await expect(
      database.db
        .getRepository(triggerPaths)
        .insert({ path: 'orphan', organizationId: 999_999_999, agentId, createdAt: at }),
    ).rejects.toThrow(/fk_trigger_paths_organization/);
  });

  test('a statement outside a transaction that loses a deadlock runs again', async () => {
    const { organizationId } = ctx;
    const { db } = database;
    const lone: ((name: string) => Promise<number>)[] = [
      (name) =>
        updateRows(db.manager, agents, { where: { organizationId, name }, change: { lastVersionNumber: 2 } }),
      (name) =>
        updateRows(db.manager, agents, {
          where: { organizationId, name, folderId: IsNull() },
          change: { lastVersionNumber: 2 },
        }),
      (name) =>
        changeRows(db, {
          organizationId,
          sql: 'UPDATE agents SET last_version_number = 2 WHERE organization_id = ? AND name = ?',
          values: [organizationId, name],
        }),
      (name) => deleteRows(db, agents, { organizationId, name }),
      (name) => deleteRows(db, agents, { organizationId, name, folderId: IsNull() }),
    ];
    for (const [index, statement] of lone.entries()) {
      const name = `Deadlock ${index}`;
      const [first, second] = [await insertAgent(name), await insertAgent(name)];
      let changed: Promise<number> | undefined;
      await inTransaction(db, async (tx) => {
        // The victim is the one that has changed less.
        for (let row = 0; row < 10; row += 1) await insertAgent(`${name} other`, tx);
        await updateRows(tx, agents, {
          where: { organizationId, id: second },
          change: { state: 'archived' },
        });
        changed = statement(name);
        await eventually(
          'the statement waits for the row',
          async () => {
            const waiting: unknown[] = await db.query(
              "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE ?",
              [`%${name}%`],
            );
            return waiting.length > 0 ? true : undefined;
          },
          { everyMs: 250 }, // InnoDB keeps an answer for 100 ms
        );
        await updateRows(tx, agents, { where: { organizationId, id: first }, change: { state: 'archived' } });
      });
      expect(await changed).toBe(2);
    }
  });
});
