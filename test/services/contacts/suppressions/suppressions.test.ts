import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { suppressions } from '../../../../src/db/tables/suppressions.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import { findSuppressed, isSuppressed, suppress } from '../../../../src/services/contacts/index.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../../../support/api-on-services.ts';
import { insertCampaign, targetsOf } from '../../../support/campaign-targets.ts';
import { createTestDatabase, bothDatabases, type TestDatabase } from '../../../support/database.ts';

const over = { state: 'failed', outcome: 'suppressed', dueAt: null, waitReason: null };

describe.each(bothDatabases)('suppressed numbers on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: { organizationId: number; userId: number; key: string };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  beforeEach(async () => {
    owner = await createTenant(database.db);
  });

  const add = (phone_numbers: unknown, more: object = {}) =>
    api.ask(owner.key, 'POST', '/suppressions', { phone_numbers, ...more });
  const list = async (query = '', key = owner.key) =>
    (await api.ask(key, 'GET', `/suppressions${query}`)).body;
  const numbersOf = (page: unknown) =>
    JSON.parse(JSON.stringify(at(page, 'items'))).map((each: { phone_number: string }) => each.phone_number);

  test('a number in any notation is one number, added once and found by its digits', async () => {
    const first = await add(['+1 (202) 555-0123', '12025550123', '49 30 901820'], {
      reason: 'asked by letter',
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        added: 2,
        already_there: 0,
        suppressions: [
          {
            phone_number: '12025550123',
            source: 'api',
            reason: 'asked by letter',
            run_id: null,
            created_by: owner.userId,
          },
          { phone_number: '4930901820' },
        ],
      },
    });
    expect(await add(['+12025550123'], { reason: 'later' })).toMatchObject({
      status: 200,
      body: {
        added: 0,
        already_there: 1,
        suppressions: [{ id: Number(idAt(first.body, 'suppressions', 0, 'id')), reason: 'asked by letter' }],
      },
    });
    expect(numbersOf(await list('?number=%2B1%20202'))).toEqual(['12025550123']);
    expect(numbersOf(await list('?number=004930'))).toEqual(['4930901820']);
    expect(numbersOf(await list('?number=anna'))).toEqual([]);
  });

  test('a number with `(0)` is the same as in contact files, and campaigns do not dial it', async () => {
    const campaign = await insertCampaign(database.db, owner.organizationId, [{ phone: '4915112345678' }]);
    expect((await add(['+49 (0)151 12345678'])).body).toMatchObject({
      added: 1,
      suppressed_targets: 1,
      suppressions: [{ phone_number: '4915112345678' }],
    });
    expect((await add(['4915112345678', '0049 151 12345678'])).body).toMatchObject({
      added: 0,
      already_there: 1,
    });
    expect(await targetsOf(database.db, campaign)).toEqual([over]);
    expect(numbersOf(await list(`?number=${encodeURIComponent('+49 (0)151 12345678')}`))).toEqual([
      '4915112345678',
    ]);
  });

  test('invalid numbers are reported by their index, and none is added', async () => {
    const refused = await add(['+12025550123', 'no number', '12', '+49 30 901820']);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        detail: [
          { type: 'string_pattern_mismatch', loc: ['body', 'phone_numbers', 1], input: 'no number' },
          { type: 'string_pattern_mismatch', loc: ['body', 'phone_numbers', 2], input: '12' },
        ],
      },
    });
    expect((await add([])).status).toBe(422);
    expect((await add(Array.from({ length: 1001 }, (_, index) => `1202555${1000 + index}`))).status).toBe(
      422,
    );
    expect(at(await list(), 'items')).toEqual([]);
  });

  // guarantee: suppression-ends-all-targets
  test('rows that campaigns were to dial end in the transaction that adds the number, in every campaign of the organization and in no other', async () => {
    const stranger = await createTenant(database.db);
    const due = { dueAt: new Date('2026-11-25T10:00:00.000Z') };
    const phone = '4915511112222';
    const one = await insertCampaign(database.db, owner.organizationId, [
      { phone },
      { phone: '4915511113333' },
      { phone, state: 'waiting', ...due, waitReason: 'retry' },
      { phone, state: 'processing' },
      { phone, state: 'failed', outcome: 'no_answer' },
    ]);
    const two = await insertCampaign(database.db, owner.organizationId, [{ phone }]);
    const theirs = await insertCampaign(database.db, stranger.organizationId, [{ phone }]);
    const failing = inTransaction(database.db, async (tx) => {
      await suppress(tx, {
        organizationId: owner.organizationId,
        phones: [phone],
        source: 'api',
        reason: '',
        callId: null,
        createdByUserId: null,
        at: new Date(),
      });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect((await targetsOf(database.db, one)).map(({ state }) => state)).toEqual([
      'queued',
      'queued',
      'waiting',
      'processing',
      'failed',
    ]);

    expect((await add([phone])).body).toMatchObject({ added: 1, suppressed_targets: 3 });
    const left = { outcome: null, dueAt: null, waitReason: null };
    expect(await targetsOf(database.db, one)).toEqual([
      over,
      { state: 'queued', ...left },
      over,
      { state: 'processing', ...left },
      { state: 'failed', ...left, outcome: 'no_answer' },
    ]);
    expect(await targetsOf(database.db, two)).toEqual([over]);
    expect(await targetsOf(database.db, theirs)).toEqual([{ state: 'queued', ...left }]);
  });

  test("thousands of numbers are looked up at once, and only in the organization's list", async () => {
    const stranger = await createTenant(database.db);
    const phones = Array.from({ length: 2500 }, (_, index) => `4930${100_000 + index}`);
    const own = phones.filter((_, index) => index % 500 === 0);
    await add(own);
    await api.ask(stranger.key, 'POST', '/suppressions', { phone_numbers: [phones[1]] });
    expect([...(await findSuppressed(database.db.manager, owner.organizationId, phones))].toSorted()).toEqual(
      own,
    );
    expect(await findSuppressed(database.db.manager, owner.organizationId, [])).toEqual(new Set());
    expect(await isSuppressed(database.db.manager, stranger.organizationId, phones[1] ?? '')).toBe(true);
    expect(await isSuppressed(database.db.manager, owner.organizationId, phones[1] ?? '')).toBe(false);
  });

  test('concurrent additions of the same numbers add each once', async () => {
    const phones = Array.from({ length: 200 }, (_, index) => `4940${100_000 + index}`);
    const answers = await Promise.all(
      [phones, phones.toReversed(), phones.slice(50)].map((some) => add(some)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + Number(at(body, 'added')), 0)).toBe(200);
    expect(
      await database.db.getRepository(suppressions).countBy({ organizationId: owner.organizationId }),
    ).toBe(200);
  });

  test('pages show every number once, newest first, whatever is added meanwhile', async () => {
    const phones = Array.from({ length: 25 }, (_, index) => `4950${100_000 + index}`);
    for (const some of [phones.slice(0, 9), phones.slice(9, 20), phones.slice(20)]) await add(some);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`?limit=10${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...numbersOf(page));
      const next = at(page, 'next_cursor');
      expect(at(page, 'has_more')).toBe(next !== null);
      cursor = typeof next === 'string' ? next : null;
      await add([`4960${100_000 + seen.length}`]);
    }
    expect(seen.toSorted()).toEqual(phones);
    expect(seen.slice(0, 5).toSorted()).toEqual(phones.slice(20));
    expect((await api.ask(owner.key, 'GET', '/suppressions?cursor=nonsense')).status).toBe(422);
  });

  // guarantee: unsuppression-reason-recorded
  test('a removed number may be dialed again; the audit event has the reason and the user, and no number', async () => {
    const phone = '4915599990000';
    const id = idAt((await add([phone], { reason: `wrote from ${phone}` })).body, 'suppressions', 0, 'id');
    const campaign = await insertCampaign(database.db, owner.organizationId, [
      { phone, state: 'failed', outcome: 'suppressed' },
    ]);
    const stranger = await createTenant(database.db);
    expect((await api.ask(stranger.key, 'DELETE', `/suppressions/${id}?reason=mine`)).status).toBe(404);
    expect((await api.ask(owner.key, 'DELETE', `/suppressions/${id}`)).status).toBe(422);
    expect(await isSuppressed(database.db.manager, owner.organizationId, phone)).toBe(true);
    expect(
      (
        await api.ask(
          owner.key,
          'DELETE',
          `/suppressions/${id}?reason=${encodeURIComponent(`called us from +${phone}, wants the offer`)}`,
        )
      ).body,
    ).toEqual({ status: 'removed', id: Number(id) });
    expect(await isSuppressed(database.db.manager, owner.organizationId, phone)).toBe(false);
    expect(await targetsOf(database.db, campaign)).toEqual([over]);
    const entries = await database.db
      .getRepository(auditEvents)
      .find({ where: { organizationId: owner.organizationId }, order: { id: 'ASC' } });
    expect(
      entries
        .slice(-2)
        .map(({ action, subjectKind, actorKind, changes }) => ({ action, subjectKind, actorKind, changes })),
    ).toMatchObject([
      {
        action: 'suppressions.added',
        subjectKind: 'organization',
        actorKind: 'api_key',
        changes: { added: 1, already_there: 0, suppressed_targets: 0 },
      },
      {
        action: 'suppression.removed',
        subjectKind: 'suppression',
        actorKind: 'api_key',
        changes: { reason: 'called us from [number], wants the offer', source: 'api' },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('5599990000');
  });

  test('the download has every number of the organization in order, safe for a spreadsheet', async () => {
    const phones = Array.from({ length: 2100 }, (_, index) => `4970${100_000 + index}`);
    for (let from = 0; from < phones.length; from += 1000)
      await add(phones.slice(from, from + 1000), { reason: '=cmd()' });
    const answer = await api.ask(owner.key, 'GET', '/suppressions/export');
    const lines = String(answer.body).trimEnd().split('\r\n');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(lines[0]).toBe('phone_number,source,reason,run_id,created_at');
    expect(lines[1]).toMatch(/^4970100000,api,'=cmd\(\),,20/);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(phones);
  });
});
