import { describe, expect, test } from '@jest/globals';
import { isFileKey, organizationOfKey, transcriptCallOf, uploadKey } from '../../../src/domain/files/key.ts';

const uuid = '6f0f0a3e-54e2-4c39-bd52-5b5f4c6e8c11';
const keyOf = (fileName: string) => uploadKey({ purpose: 'campaigns', organizationId: 7, uuid, fileName });

describe('keys of files', () => {
  test.each([
    ['contacts.csv', 'contacts.csv'],
    ['my contacts (1).csv', 'my_contacts__1_.csv'],
    ['Größe.csv', 'Gr__e.csv'],
    ['../../etc/passwd.csv', '.._.._etc_passwd.csv'],
    [String.raw`..\..\x.csv`, '.._.._x.csv'],
    ['a\u0000b\n.csv', 'a_b_.csv'],
    ['💥.csv', '_.csv'],
    [`${'x'.repeat(300)}.csv`, `${'x'.repeat(96)}.csv`],
  ])("%j becomes %s after an unguessable id in the organization's folder", (fileName, cleaned) => {
    expect(keyOf(fileName)).toBe(`campaigns/7/${uuid}_${cleaned}`);
    expect(isFileKey(keyOf(fileName))).toBe(true);
    expect(organizationOfKey(keyOf(fileName))).toBe(7);
  });

  test.each([
    '',
    'a',
    '/a/b',
    'a/b/',
    'a//b',
    '../a',
    'a/..',
    'a/../b',
    'a/./b',
    'a/.b',
    '.incoming/x',
    'a/b c',
    'a/b\u0000',
    'a/b\n',
    String.raw`a/b\c`,
    'a/é',
    `a/${'x'.repeat(255)}`,
  ])('%j is not a key', (key) => {
    expect(isFileKey(key)).toBe(false);
    expect(organizationOfKey(key)).toBeNull();
  });

  test.each([
    'campaigns/7',
    'campaigns/7/a/b',
    'campaigns/x/a',
    'campaigns/7/../8/a',
    'campaigns/-7/a',
    'campaigns/7/.a',
    'recordings/7/a',
    'transcripts/7.txt',
    'campaigns/7777777777777777/a',
  ])('%s is not an upload of an organization', (key) => {
    expect(organizationOfKey(key)).toBeNull();
  });

  test('the key of a transcript names its call', () => {
    expect(
      [
        'transcripts/12.txt',
        'transcripts/12.wav',
        'transcripts/x.txt',
        'transcripts/1/2.txt',
        ' transcripts/12.txt',
        'transcripts/12.txt\n',
      ].map(transcriptCallOf),
    ).toEqual([12, null, null, null, null, null]);
  });
});
