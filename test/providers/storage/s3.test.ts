import { request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../../emulators/s3/faults.ts';
import { NotFoundError, UnavailableError } from '../../../src/domain/errors.ts';
import { openFiles } from '../../../src/providers/storage/installed.ts';
import type { Files } from '../../../src/providers/storage/port.ts';
import { growSegments } from '../../../src/providers/storage/s3-segments.ts';
import { createS3Files } from '../../../src/providers/storage/s3.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { startTestBucket, type TestBucket } from '../../support/bucket.ts';
import { createTestClock } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { listedBelow, pieces, textOf } from './conformance.ts';

const clock = createTestClock('2026-11-21T10:00:00.000Z');
const key = 'campaigns/7/a.csv';
const mebibyte = 1024 * 1024;
const piece = 'recordings/5/1.pcm';
const second = 64 * 1024;

let bucket: TestBucket;
let files: Files;
/** The same files with a client with short timeouts, for a silent storage. */
let impatient: Files;

beforeAll(async () => {
  bucket = await startTestBucket({ clock });
  files = bucket.files;
  const timeouts = { connectMs: 300, answerMs: 400, idleMs: 400 };
  impatient = createS3Files({ settings: { ...bucket.settings, timeouts }, clock });
});
beforeEach(() => {
  clock.set('2026-11-21T10:00:00.000Z');
  bucket.emulator.log.length = 0;
});
afterEach(() => {
  bucket.emulator.faults.set([]);
  bucket.emulator.bucket.objects.clear();
  bucket.emulator.bucket.uploads.clear();
});
afterAll(() => bucket.close());

const fails = (fault: Fault, only: { method?: string; holds?: string; times?: number } = {}) =>
  bucket.emulator.faults.set([{ fault, ...only }]);
const stored = () => [...bucket.emulator.bucket.objects.keys()];

test('lists more files than one answer contains, even if the files of a page are removed before the next one', async () => {
  for (let index = 0; index < 2500; index += 1)
    bucket.emulator.bucket.put(`campaigns/7/${index}.csv`, Buffer.from('x'), 'text/csv');
  const sizes: number[] = [];
  for await (const page of files.list('campaigns')) {
    sizes.push(page.length);
    for (const { key } of page) bucket.emulator.bucket.objects.delete(key);
  }
  expect([sizes, stored()]).toEqual([[1000, 1000, 500], []]);
});

describe('a bucket that fails', () => {
  const verbs: [string, () => Promise<unknown>][] = [
    ['write', () => impatient.write(key, pieces('x'), 1)],
    ['facts', () => impatient.facts(key)],
    ['read', () => textOf(impatient.read(key))],
    ['remove', () => impatient.remove(key)],
    ['removeAll', () => impatient.removeAll('recordings/5')],
    ['grown', () => impatient.grown(piece)],
    ['list', () => listedBelow(impatient, 'campaigns')],
  ];
  const faults: Fault[] = [
    { kind: 'status', status: 503, code: 'SlowDown' },
    { kind: 'status', status: 500, code: 'InternalError' },
    { kind: 'silence' },
  ];

  test.each(
    faults.flatMap((fault) =>
      verbs.map(
        ([name, run]) => [fault.kind === 'status' ? fault.code : fault.kind, name, fault, run] as const,
      ),
    ),
  )('with %s is unavailable for %s, which sends one request', async (_, __, fault, run) => {
    fails(fault);
    await expect(run()).rejects.toMatchObject({
      name: 'UnavailableError',
      dependency: 'storage',
      message: 'The file storage is unavailable or full',
    });
    expect(bucket.emulator.log).toHaveLength(1);
  });

  test('is unavailable if its port is closed', async () => {
    const gone = createS3Files({ settings: { ...bucket.settings, endpoint: 'http://127.0.0.1:9' }, clock });
    await expect(gone.facts(key)).rejects.toBeInstanceOf(UnavailableError);
  });

  test.each(['cut', 'stall'] as const)(
    'ends reading in the middle of a file if the connection fails by %s',
    async (kind) => {
      await files.write(key, pieces('x'.repeat(mebibyte)), mebibyte);
      fails({ kind }, { method: 'GET' });
      await expect(textOf(impatient.read(key))).rejects.toMatchObject({
        name: 'UnavailableError',
        dependency: 'storage',
      });
    },
  );

  test('refuses a wrong secret, and the error contains no keys', async () => {
    const other = createS3Files({ settings: { ...bucket.settings, secretAccessKey: 'wrong-secret' }, clock });
    const failure: unknown = await textOf(other.read(key)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'UnavailableError',
      message: 'The file storage refuses this service',
      cause: { message: 'The storage answered 403: SignatureDoesNotMatch' },
    });
    expect(JSON.stringify([failure, failure instanceof Error ? failure.cause : null])).not.toMatch(
      /simulated-key|wrong-secret/,
    );
  });

  test('is unavailable if the bucket is missing, which differs from a missing file', async () => {
    const other = createS3Files({ settings: { ...bucket.settings, bucket: 'other' }, clock });
    await expect(textOf(other.read(key))).rejects.toBeInstanceOf(UnavailableError);
    await expect(textOf(files.read(key))).rejects.toBeInstanceOf(NotFoundError);
  });

  test.each([
    ['a part', 'partNumber=2', 'PUT'],
    ['the last request', 'uploadId=', 'POST'],
  ])('at %s of a large file leaves nothing, because the upload is aborted', async (_, holds, method) => {
    fails({ kind: 'status', status: 503, code: 'SlowDown' }, { holds, method });
    await expect(files.write(key, pieces('x'.repeat(18 * mebibyte)), 32 * mebibyte)).rejects.toBeInstanceOf(
      UnavailableError,
    );
    expect([stored(), bucket.emulator.bucket.uploads.size]).toEqual([[], 0]);
  });
});

test('removes everything below a key, page by page', async () => {
  for (let number = 0; number < 1100; number += 1)
    bucket.emulator.bucket.put(`${piece}/${String(number).padStart(12, '0')}`, Buffer.from('x'), '');
  await files.removeAll(piece);
  expect([stored(), bucket.emulator.log.filter((each) => each.includes('list-type=2')).length]).toEqual([
    [],
    2,
  ]);
});

describe('a file that grows', () => {
  /** A growing file whose attempts to send a segment are counted when they have ended. */
  const observed = () => {
    let ended = 0;
    const put = async (segmentKey: string, bytes: Uint8Array) => {
      try {
        await files.write(segmentKey, Readable.from([bytes]), bytes.length);
      } finally {
        ended += 1;
      }
    };
    return { growing: growSegments({ folder: piece, put }), ended: () => ended };
  };
  /** Writes second by second; after each segment an attempt to send ends. Answers the failures. */
  const write = async ({ growing, ended }: ReturnType<typeof observed>, seconds: number[]) => {
    const failures: unknown[] = [];
    for (const at of seconds) {
      const before = ended();
      await growing
        .write(Buffer.alloc(second, String(at % 10)), at * second)
        .catch((error: unknown) => failures.push(error));
      if (at % 4 === 3) await until('an attempt has ended', () => Promise.resolve(ended() > before));
    }
    return failures;
  };
  const sound = async () => await textOf((await files.grown(piece))?.read() ?? pieces());
  const expected = (seconds: number[]) => seconds.map((at) => String(at % 10).repeat(second)).join('');
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

  // guarantee: recording-waits-for-bucket
  test('loses nothing while its storage is briefly unavailable', async () => {
    const file = observed();
    fails({ kind: 'status', status: 503, code: 'SlowDown' }, { times: 3 });
    expect(await write(file, upTo(16))).toEqual([]);
    await file.growing.close();
    expect((await sound()) === expected(upTo(16))).toBe(true);
  });

  test('does not hold up its writer while its storage is silent', async () => {
    const growing = await impatient.grow(piece);
    fails({ kind: 'silence' }, { times: 1 });
    for (const at of upTo(12)) await growing.write(Buffer.alloc(second, String(at % 10)), at * second);
    expect(bucket.emulator.bucket.objects.size).toBe(0);
    await growing.close();
    expect((await sound()) === expected(upTo(12))).toBe(true);
  });

  test('keeps waiting segments up to a maximum; then drops the oldest, leaves zeros, and reports it', async () => {
    const file = observed();
    fails({ kind: 'status', status: 503, code: 'SlowDown' });
    expect(await write(file, upTo(44))).toEqual(
      [1, 2, 3].map(() => expect.objectContaining({ name: 'UnavailableError', dependency: 'storage' })),
    );
    bucket.emulator.faults.set([]);
    await file.growing.close();
    const read = await sound();
    expect([read.length, read.split('\0').length - 1]).toEqual([44 * second, 12 * second]);
    expect(read.replaceAll('\0', '').endsWith(expected(upTo(44).slice(16)))).toBe(true);
  });

  test('contains a segment once that was written but not acknowledged', async () => {
    const growing = await impatient.grow(piece);
    fails({ kind: 'late' }, { method: 'PUT', times: 1 });
    for (const at of upTo(8)) await growing.write(Buffer.alloc(second, String(at % 10)), at * second);
    await growing.close();
    expect((await sound()) === expected(upTo(8))).toBe(true);
  });

  test('makes three attempts at its end', async () => {
    const growing = await files.grow(piece);
    await growing.write(Buffer.alloc(second, '0'), 0);
    fails({ kind: 'status', status: 503, code: 'SlowDown' }, { times: 2 });
    await growing.close();
    expect((await sound()) === expected([0])).toBe(true);
    const other = await files.grow(piece);
    await other.write(Buffer.alloc(second, '1'), second);
    fails({ kind: 'status', status: 503, code: 'SlowDown' });
    bucket.emulator.log.length = 0;
    await expect(other.close()).rejects.toBeInstanceOf(UnavailableError);
    expect(bucket.emulator.log).toHaveLength(3);
  });
});

describe('links to a bucket', () => {
  const upload = async (
    changes: { key?: string; maxBytes?: number; mediaType?: string; lifetimeSeconds?: number } = {},
  ) =>
    String(
      await files.links?.uploadUrl({
        key,
        maxBytes: 4,
        mediaType: 'text/csv',
        lifetimeSeconds: 900,
        ...changes,
      }),
    );
  const download = async (isInline = false) =>
    String(await files.links?.downloadUrl({ key, isInline, lifetimeSeconds: 60 }));
  const put = async (url: string, body: string, type: string | null = 'text/csv') =>
    (
      await fetch(url, {
        method: 'PUT',
        body: Buffer.from(body),
        headers: type === null ? {} : { 'content-type': type },
      })
    ).status;

  // guarantee: upload-link-fixes-size-and-type
  test('accept one file of the announced size and type, without credentials, until they expire', async () => {
    const url = await upload();
    for (const [body, type] of [
      ['abcde', 'text/csv'],
      ['abc', 'text/csv'],
      ['abcd', 'text/html'],
      ['abcd', null],
    ] as const)
      expect(await put(url, body, type)).toBe(403);
    expect(stored()).toEqual([]);
    clock.advance(900_000 - 1000);
    expect(await put(url, 'abcd')).toBe(200);
    expect(await textOf(files.read(key))).toBe('abcd');
    clock.advance(1000);
    expect(await put(url, 'efgh')).toBe(403);
    expect(await textOf(files.read(key))).toBe('abcd');
  });

  test('lead to one file, for one use', async () => {
    await files.write(key, pieces('abcd'), 4);
    expect(await put((await upload()).replace('a.csv', 'b.csv'), 'abcd')).toBe(403);
    expect(await put(await download(), 'abcd')).toBe(403);
    expect((await fetch(await upload())).status).toBe(403);
    expect((await fetch((await download()).replace('a.csv', 'b.csv'))).status).toBe(403);
    expect((await fetch((await download()).replace('text%2Fcsv', 'text%2Fhtml'))).status).toBe(403);
  });

  test('leave nothing of an upload that breaks off', async () => {
    const sending = request(await upload({ maxBytes: mebibyte }), {
      method: 'PUT',
      headers: { 'content-type': 'text/csv', 'content-length': mebibyte },
    });
    sending.on('error', () => undefined);
    sending.write(Buffer.alloc(1000));
    await until('the bucket hears of it', () => Promise.resolve(bucket.emulator.log.length > 0));
    const gone = new Promise((resolve) => sending.once('close', resolve));
    sending.destroy();
    await gone;
    expect([await files.facts(key), stored()]).toEqual([null, []]);
  });

  test.each([
    [false, 'attachment'],
    [true, 'inline'],
  ])(
    'serve a file with the media type of its name, not of its upload (inline: %s)',
    async (isInline, disposition) => {
      expect(await put(await upload({ mediaType: 'text/html' }), 'abcd', 'text/html')).toBe(200);
      const read = await fetch(await download(isInline), { headers: { range: 'bytes=1-2' } });
      expect([
        read.status,
        await read.text(),
        read.headers.get('content-type'),
        read.headers.get('content-disposition'),
        read.headers.get('cache-control'),
      ]).toEqual([
        206,
        'bc',
        'text/csv; charset=utf-8',
        `${disposition}; filename="a.csv"`,
        'private, no-store',
      ]);
    },
  );

  test('expire on time', async () => {
    await files.write(key, pieces('abcd'), 4);
    const url = await download();
    clock.advance(59_000);
    expect((await fetch(url)).status).toBe(200);
    clock.advance(1000);
    expect((await fetch(url)).status).toBe(403);
  });

  test("lead to the storage's public URL and contain no secret", async () => {
    const { links } = createS3Files({
      settings: { ...bucket.settings, publicEndpoint: 'https://files.example.com' },
      clock,
    });
    const url = String(await links?.downloadUrl({ key, isInline: false, lifetimeSeconds: 60 }));
    expect(url).toMatch(/^https:\/\/files\.example\.com\/calls\/campaigns\/7\/a\.csv\?/);
    expect(url).not.toContain('simulated-secret');
  });

  test('to Amazon contain the bucket in the host name', async () => {
    const { links } = createS3Files({
      settings: { ...bucket.settings, endpoint: undefined, isPathStyle: false, region: 'eu-central-1' },
      clock,
    });
    expect(await links?.downloadUrl({ key, isInline: false, lifetimeSeconds: 60 })).toMatch(
      /^https:\/\/calls\.s3\.eu-central-1\.amazonaws\.com\/campaigns\/7\/a\.csv\?/,
    );
  });
});

describe('a process that opens its bucket', () => {
  const open = async (changes: Partial<TestBucket['settings']> = {}) => {
    const lines: string[] = [];
    const log = createLogger({
      level: 'info',
      role: 'test',
      destination: { write: (line) => lines.push(line) },
    });
    const opened = await openFiles({
      settings: { kind: 's3', bucket: { ...bucket.settings, ...changes } },
      clock,
      log,
    });
    return { opened, lines };
  };

  test('has its files', async () => {
    const { opened, lines } = await open();
    expect([await opened?.write(key, pieces('x'), 1), stored(), lines]).toEqual([true, [key], []]);
  });

  test.each([
    ['there is no such bucket', { bucket: 'other' }],
    ['the storage refuses these credentials, or they may not list this bucket', { secretAccessKey: 'wrong' }],
    ['the storage answers 400: are the region and the endpoint right?', { region: 'elsewhere-1' }],
  ])('does not start if %s', async (fault, changes) => {
    await expect(open(changes)).rejects.toThrow(fault);
  });

  test('starts while the bucket is unavailable, and logs it', async () => {
    fails({ kind: 'status', status: 503, code: 'SlowDown' }, { times: 1 });
    const { opened, lines } = await open();
    expect(lines.join()).toContain('The bucket for files is unavailable');
    expect(await opened?.write(key, pieces('x'), 1)).toBe(true);
  });
});
