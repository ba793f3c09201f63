import { expect, test } from '@jest/globals';
import { essenceOf, mediaTypeOf } from '../../../src/domain/files/media-type.ts';
import { readRange } from '../../../src/domain/files/range.ts';

test.each<[string | undefined, ReturnType<typeof readRange>]>([
  [undefined, 'whole'],
  ['', 'whole'],
  ['bytes=0-3', { first: 0, last: 3 }],
  ['Bytes=4-', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=5-99', { first: 5, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=3-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=0x1-2', 'whole'],
])('reads the range %j of ten bytes as %j', (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

test('an empty file has no satisfiable range', () => {
  expect([readRange('bytes=0-', 0), readRange('bytes=-1', 0), readRange(undefined, 0)]).toEqual([
    'unsatisfiable',
    'unsatisfiable',
    'whole',
  ]);
});

test('the media type follows from the name, and is never one that a browser would execute', () => {
  expect(
    ['a.csv', 'a.WAV', 'a.b.mp3', 'a.html', 'a.svg', 'a', 'constructor', 'a.constructor'].map(mediaTypeOf),
  ).toEqual([
    'text/csv; charset=utf-8',
    'audio/wav',
    'audio/mpeg',
    ...Array<string>(5).fill('application/octet-stream'),
  ]);
  expect([' Text/CSV ; charset=utf-8', 'audio/wav', ''].map(essenceOf)).toEqual([
    'text/csv',
    'audio/wav',
    '',
  ]);
});
