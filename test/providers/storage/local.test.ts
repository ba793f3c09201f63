import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTickets } from '../../../src/providers/secrets/tickets.ts';
import { openDirectory } from '../../../src/providers/storage/directory.ts';
import { createLocalStorage, type LocalStorage, type Upload } from '../../../src/providers/storage/local.ts';
import { createTestClock, testSecrets } from '../../support/database.ts';

const clock = createTestClock();
const tickets = createTickets(testSecrets);
const key = 'campaigns/7/a.csv';
let folder: string;
let storage: LocalStorage;

beforeEach(async () => {
  clock.set('2026-11-21T10:00:00.000Z');
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  storage = createLocalStorage({
    directory: await openDirectory(folder),
    tickets,
    clock,
    uploadUrl: (ticket) => ticket,
    downloadUrl: (ticket) => ticket,
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function* of(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const upload = (text: string, change: Partial<Upload> = {}): Upload => ({
  mediaType: 'text/csv',
  announcedBytes: text.length,
  bytes: of(text),
  ...change,
});
const leave = () => storage.uploadUrl({ key, maxBytes: 4, mediaType: 'text/csv', lifetimeSeconds: 900 });

test('an upload link accepts one file of its type and size until it expires', async () => {
  const ticket = await leave();
  expect(await storage.receive(ticket, upload('abcde'))).toBe('too_large');
  expect(await storage.receive(ticket, upload('abcde', { announcedBytes: undefined }))).toBe('too_large');
  expect(await storage.receive(ticket, upload('abc', { mediaType: 'text/html' }))).toBe('other_type');
  expect(await storage.receive(ticket, upload('abc', { mediaType: undefined }))).toBe('other_type');
  expect(await storage.facts(key)).toBeNull();
  clock.advance(900_000 - 1);
  expect(await storage.receive(ticket, upload('abcd', { mediaType: 'Text/CSV; charset=utf-8' }))).toBe(
    'stored',
  );
  clock.advance(1);
  expect(await storage.receive(ticket, upload('abc'))).toBe('invalid_link');
  expect(await storage.facts(key)).toMatchObject({ bytes: 4 });
});

test('a file that is announced as too large is not read', async () => {
  let isRead = false;
  async function* watched(): AsyncGenerator<Uint8Array> {
    isRead = true;
    yield Buffer.from('abcde');
  }
  expect(await storage.receive(await leave(), upload('abcde', { bytes: watched() }))).toBe('too_large');
  expect(isRead).toBe(false);
});

test('a download link only reads, an upload link only writes, and no other text is a link', async () => {
  const download = await storage.downloadUrl({ key, isInline: true, lifetimeSeconds: 60 });
  expect(storage.granted(download)).toEqual({ key, isInline: true });
  expect(storage.granted(await leave())).toBeNull();
  expect(await storage.receive(download, upload('abc'))).toBe('invalid_link');
  for (const ticket of [
    '',
    'x',
    `${download}x`,
    tickets.seal('{}'),
    tickets.seal('null'),
    tickets.seal(JSON.stringify({ use: 'file_download', key })),
  ])
    expect([storage.granted(ticket), await storage.receive(ticket, upload('abc'))]).toEqual([
      null,
      'invalid_link',
    ]);
  clock.advance(60_000);
  expect(storage.granted(download)).toBeNull();
});
