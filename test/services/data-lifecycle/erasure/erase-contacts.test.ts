import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { columns } from '../../../../src/db/rows.ts';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { campaigns } from '../../../../src/db/tables/campaigns.ts';
import { campaignAttempts } from '../../../../src/db/tables/campaign-attempts.ts';
import { contacts, type ContactRow } from '../../../../src/db/tables/contacts.ts';
import { directories, type DirectoryRow } from '../../../../src/db/tables/directories.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { numberDials } from '../../../../src/db/tables/number-dials.ts';
import { NotFoundError } from '../../../../src/domain/errors.ts';
import { createContactFiles } from '../../../../src/providers/contact-files/contact-files.ts';
import { createFingerprint } from '../../../../src/providers/secrets/fingerprint.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { readEraseArguments, runErasure } from '../../../../src/services/data-lifecycle/erasure/command.ts';
import type { UploadedFileDeps } from '../../../../src/services/data-lifecycle/erasure/uploaded-files.ts';
import { addSuppressions, isSuppressed } from '../../../../src/services/contacts/index.ts';
import { insertCampaign, targetsOf } from '../../../support/campaign-targets.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertEndedCall } from '../../../support/delivery-rows.ts';
import { scanTables } from '../../../support/scan.ts';

const phone = '4915588887777';
const bystander = '4915500001111';
const over = { state: 'failed', outcome: 'suppressed', dueAt: null, waitReason: null };

describe.each(databases)('erasing a person from contact files and campaigns on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => await database.drop());
  beforeEach(async () => {
    await database.db.query('DELETE FROM suppressions');
    ctx = { ...(await createTestContext(database.db)), actor: { kind: 'system', name: 'operator' } };
  });

  /** Files by key, in memory. */
  const stored = new Map<string, Buffer>();
  const files: UploadedFileDeps['files'] = {
    async *read(key, range) {
      const bytes = stored.get(key);
      if (bytes === undefined) throw new NotFoundError('There is no such file');
      yield await Promise.resolve(range === undefined ? bytes : bytes.subarray(range.first, range.last + 1));
    },
    async write(key, bytes) {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes) pieces.push(piece);
      stored.set(key, Buffer.concat(pieces));
      return true;
    },
  };
  const upload = async (text: string, changes: Partial<DirectoryRow> = {}) => {
    const campaign = await insertCampaign(database.db, ctx.organizationId, []);
    const { directoryId } = await database.db.getRepository(campaigns).findOneByOrFail({ id: campaign });
    await database.db.getRepository(directories).update(
      { id: directoryId },
      columns<object>({
        bytes: Buffer.byteLength(text),
        columns: ['phone_number', 'name', 'other'],
        ...changes,
      }),
    );
    const directory = await database.db.getRepository(directories).findOneByOrFail({ id: directoryId });
    stored.set(directory.fileKey, Buffer.from(text));
    return { directoryId, fileKey: directory.fileKey };
  };

  const erase = async (args: string[]) => {
    const asked = readEraseArguments(['--organization', '1', ...args]);
    if ('fault' in asked) throw new Error(asked.fault);
    const deps = {
      histories: { forget: () => Promise.resolve({ runs: 0, wasRunning: false }) },
      prices: undefined,
      accounts: () => {
        throw new Error('no leg is live');
      },
      uploaded: { files, contactFiles: createContactFiles() },
    };
    return await runErasure({
      ctx,
      deps,
      fingerprint: createFingerprint(`test:${Buffer.alloc(32, 7).toString('base64')}`),
      organizationUuid: randomUUID(),
      asked,
    });
  };
  const insertContact = async (campaignId: number, row: Partial<ContactRow>) => {
    const { directoryId } = await database.db.getRepository(campaigns).findOneByOrFail({ id: campaignId });
    await database.db.getRepository(contacts).insert(
      columns<ContactRow>({
        directoryId,
        importNumber: 1,
        rowNumber: 1,
        organizationId: ctx.organizationId,
        state: 'ok',
        phone,
        zoneKey: 'Europe/Berlin',
        identifier: null,
        priority: 0,
        cells: [phone],
        findings: null,
        ...row,
      }),
    );
  };
  /** A campaign that has dialed the person once and will dial again, and another contact. */
  const dialed = async (mark: string) => {
    const campaign = await insertCampaign(database.db, ctx.organizationId, [
      { phone, state: 'waiting', dueAt: new Date(), waitReason: 'retry', zoneKey: 'Europe/Berlin' },
      { phone: bystander },
    ]);
    await insertContact(campaign, { identifier: `C-${mark}`, cells: [phone, `${mark} Smith`] });
    await insertContact(campaign, {
      rowNumber: 2,
      phone: bystander,
      identifier: 'C-2',
      cells: [bystander, 'Other'],
    });
    const { callId } = await insertEndedCall(ctx);
    await database.db
      .getRepository(calls)
      .update({ id: callId }, { campaignId: campaign, initialContext: { called_number: phone } });
    await database.db.getRepository(campaignAttempts).insert({
      campaignId: campaign,
      rowNumber: 1,
      attemptNumber: 1,
      organizationId: ctx.organizationId,
      callId,
      because: null,
      begunAt: new Date(),
      outcome: 'no_answer',
      isSpent: true,
      settledAt: new Date(),
    });
    await database.db
      .getRepository(numberDials)
      .insert({ organizationId: ctx.organizationId, phone, callId, dialedAt: new Date() });
    return { campaign, callId };
  };

  // guarantee: erasure-ends-targets
  test('removes the person from every table, never dials them again, and keeps the other contacts', async () => {
    const { campaign, callId } = await dialed('Marked7');
    const counted = await erase(['--phone', `+${phone}`]);
    expect(counted).toMatchObject({
      outcome: 'counted',
      calls: [callId],
      content: { contacts: 1, campaign_targets: 1, number_dials: 1 },
      isSuppressed: false,
    });
    expect(await scanTables(database.db, ['Marked7', '15588887777'])).toEqual([
      'calls.initial_context',
      'campaign_targets.phone',
      'contacts.cells',
      'contacts.identifier',
      'contacts.phone',
      'number_dials.phone',
    ]);
    expect(await erase(['--phone', `+${phone}`, '--yes'])).toMatchObject({
      outcome: 'erased',
      erased: { removed: { contacts: 1, campaign_targets: 1, number_dials: 1 } },
      isSuppressed: false,
    });
    expect(await scanTables(database.db, ['Marked7', '15588887777'])).toEqual([]);
    expect(await targetsOf(database.db, campaign)).toEqual([
      over,
      { state: 'queued', outcome: null, dueAt: null, waitReason: null },
    ]);
    expect(
      await database.db
        .getRepository(contacts)
        .findOneByOrFail({ organizationId: ctx.organizationId, rowNumber: 2 }),
    ).toMatchObject({ phone: bystander, cells: [bystander, 'Other'], state: 'ok' });
    expect(await erase(['--phone', `+${phone}`])).toMatchObject({ outcome: 'nobody' });
  });

  test("finds a person who is only in a file, by number and by the customer's id, even if the two differ", async () => {
    const campaign = await insertCampaign(database.db, ctx.organizationId, [{ phone }]);
    await insertContact(campaign, { identifier: 'C-9', cells: ['Marked8'] });
    await insertContact(campaign, {
      rowNumber: 3,
      phone: null,
      state: 'no_phone',
      identifier: 'C-9',
      cells: ['', 'Marked8'],
    });
    expect(await erase(['--customer', 'C-9', '--yes'])).toMatchObject({
      outcome: 'erased',
      calls: [],
      erased: { removed: { contacts: 2, campaign_targets: 1 } },
    });
    expect(await scanTables(database.db, ['Marked8', '15588887777'])).toEqual([]);
    expect(await targetsOf(database.db, campaign)).toEqual([over]);
  });

  test('the command that repeats an erasure by call ids covers their campaigns, too', async () => {
    const { campaign, callId } = await dialed('Marked9');
    await erase(['--call', String(callId), '--yes']);
    expect(await scanTables(database.db, ['Marked9', '15588887777'])).toEqual([]);
    expect((await targetsOf(database.db, campaign))[0]).toEqual(over);
  });

  // guarantee: erasure-keeps-suppressed-number
  test('keeps a suppressed number suppressed, without its reason; --forget-suppression removes it, --do-not-call adds it', async () => {
    await addSuppressions({ ctx, input: { numbers: [phone], reason: 'Marked5 wrote' } });
    await dialed('Marked5');
    expect(await erase(['--phone', `+${phone}`, '--yes'])).toMatchObject({
      outcome: 'erased',
      erased: { removed: { suppressions: 1 } },
      isSuppressed: true,
    });
    expect(await erase(['--phone', `+${phone}`, '--yes'])).toMatchObject({
      outcome: 'nobody',
      isSuppressed: true,
    });
    expect(await scanTables(database.db, ['Marked5', '15588887777'])).toEqual(['suppressions.phone']);
    expect(await erase(['--phone', `+${phone}`, '--forget-suppression', '--yes'])).toMatchObject({
      outcome: 'erased',
      erased: { removed: { suppressions: 1 } },
      isSuppressed: false,
    });
    expect(await scanTables(database.db, ['15588887777'])).toEqual([]);
    expect(await erase(['--phone', `+${phone}`, '--do-not-call', '--yes'])).toMatchObject({
      outcome: 'erased',
      isSuppressed: true,
    });
    expect(await isSuppressed(database.db.manager, ctx.organizationId, phone)).toBe(true);
    const entries = await database.db
      .getRepository(auditEvents)
      .findBy({ organizationId: ctx.organizationId, action: 'person.erased' });
    expect(entries.map(({ changes }) => changes['suppression'])).toEqual([undefined, 'forget', 'add']);
    expect(JSON.stringify(entries)).not.toContain('15588887777');
  });

  test('--do-not-call suppresses the number in the form of contact files, even if it was written with `(0)`', async () => {
    expect(await erase(['--phone', '+49 (0)151 12345678', '--do-not-call', '--yes'])).toMatchObject({
      outcome: 'erased',
      isSuppressed: true,
    });
    expect(await isSuppressed(database.db.manager, ctx.organizationId, '4915112345678')).toBe(true);
  });

  // guarantee: erasure-empties-stored-file-rows
  test('empties the rows in every stored file that contain the number in any cell, and keeps all other rows and row numbers', async () => {
    const one = await upload(
      `phone_number,name,other\n+${bystander},Other,x\n+49 155 8888-7777,Marked3,y\n+4915500002222,Third,"a,b"\n`,
    );
    const two = await upload(`phone_number,name,other\n+4915500003333,Spouse of Marked3,+${phone}\n`);
    const none = await upload(`phone_number,name,other\n+${bystander},Other,\n`);
    const untouched = stored.get(none.fileKey);
    expect(await erase(['--phone', `+${phone}`])).toMatchObject({
      outcome: 'counted',
      inFiles: {
        found: [
          { directoryId: one.directoryId, rows: 1 },
          { directoryId: two.directoryId, rows: 1 },
        ],
        unreadable: [],
      },
      erased: null,
    });
    expect([...stored.values()].filter((bytes) => bytes.includes('Marked3'))).toHaveLength(2);

    await database.db.getRepository(directories).update({ id: two.directoryId }, { state: 'importing' });
    await expect(erase(['--phone', `+${phone}`, '--yes'])).rejects.toThrow(
      `These directories are being checked: ${two.directoryId}`,
    );
    expect([...stored.values()].filter((bytes) => bytes.includes('Marked3'))).toHaveLength(2);
    await database.db.getRepository(directories).update({ id: two.directoryId }, { state: 'ready' });

    expect(await erase(['--phone', `+${phone}`, '--yes'])).toMatchObject({
      outcome: 'erased',
      erased: { rowsInFiles: 2 },
    });
    expect(stored.get(one.fileKey)?.toString()).toBe(
      `phone_number,name,other\n+${bystander},Other,x\n\n+4915500002222,Third,"a,b"\n`,
    );
    expect(
      [...stored.values()].filter((bytes) => bytes.includes('Marked3') || bytes.includes('8888')),
    ).toEqual([]);
    expect(stored.get(none.fileKey)).toBe(untouched);
    const after = stored.get(one.fileKey) ?? Buffer.alloc(0);
    expect(
      await database.db.getRepository(directories).findOneByOrFail({ id: one.directoryId }),
    ).toMatchObject({ bytes: after.length, sha256: createHash('sha256').update(after).digest('hex') });
    expect(await erase(['--phone', `+${phone}`])).toMatchObject({
      outcome: 'nobody',
      inFiles: { found: [] },
    });
    stored.clear();
  });

  test("does not touch another organization's files and campaigns", async () => {
    const { campaign } = await dialed('Marked6');
    ctx = { ...(await createTestContext(database.db)), actor: { kind: 'system', name: 'operator' } };
    expect(await erase(['--phone', `+${phone}`, '--customer', 'C-Marked6', '--yes'])).toMatchObject({
      outcome: 'nobody',
    });
    expect((await targetsOf(database.db, campaign))[0]).toMatchObject({ state: 'waiting' });
  });

  test('the suppression options need exactly one number', () => {
    expect(readEraseArguments(['--organization', '1', '--customer', 'c', '--do-not-call'])).toHaveProperty(
      'fault',
    );
    expect(
      readEraseArguments([
        '--organization',
        '1',
        '--phone',
        '+4915588887777',
        '--do-not-call',
        '--forget-suppression',
      ]),
    ).toHaveProperty('fault');
  });
});
