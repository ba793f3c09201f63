import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { databases } from '../support/database.ts';
import { createImportWorld, type ImportWorld, type Tenant } from '../support/import-world.ts';

describe.each(databases)('the encoding of a directory on %s', (kind) => {
  let world: ImportWorld;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await createImportWorld(kind);
    await world.startWorker();
  });
  beforeEach(async () => {
    tenant = await world.tenant();
  });
  afterAll(async () => await world.close());

  const uploaded = (text: string, encoding: string) =>
    tenant.uploadedBytes(iconv.encode(text, encoding), 'klienci.csv');

  test('is shown as a guess until somebody names one; the same one keeps the check and the mapping', async () => {
    const id = await uploaded('phone_number,customer_id,name\n+12025550101,7,Łukasz Wójcik\n', 'win1250');
    const previewOf = async (query: string) =>
      (await tenant.ask('GET', `/directories/${id}/preview${query}`)).body;
    expect(await previewOf('')).toMatchObject({
      reading: { encoding: 'win1250', is_guess: true },
      warnings: [expect.stringContaining('win1250: «+12025550101,7,Łukasz Wójcik»')],
    });
    expect(await previewOf('?encoding=win1252')).toMatchObject({
      reading: { encoding: 'win1252', is_guess: false },
      warnings: [],
    });
    await tenant.ask('PATCH', `/directories/${id}`, {
      reading: { header_line: 1 },
      mapping: { identifier: null },
    });
    expect(await tenant.checked(id)).toMatchObject({ state: 'ready', reading: { is_guess: true } });
    const { body } = await tenant.ask('PATCH', `/directories/${id}`, {
      reading: { encoding: 'windows-1250' },
    });
    expect(body).toMatchObject({
      state: 'ready',
      reading: { encoding: 'win1250', is_guess: false },
      mapping: { identifier: null },
      totals: { rows: 1, ok: 1 },
    });
  });

  test('counts rows with damaged letters at the check, far below the preview', async () => {
    const garbled = iconv.decode(Buffer.from('Jörg Müller'), 'win1252');
    const id = await uploaded(
      `phone_number,name\n${'+12025550101,Jörg Müller\n'.repeat(300)}+12025550102,${garbled}\n`,
      'utf8',
    );
    await tenant.ask('PATCH', `/directories/${id}`, { mapping: { duplicates: 'all' } });
    expect(await tenant.checked(id)).toMatchObject({
      reading: { encoding: 'utf8', is_guess: false },
      totals: { rows: 301, ok: 301, warned: 1, findings: { text_damaged: 1 } },
    });
  });
});
