import { describe, expect, test } from '@jest/globals';
import { mainArchive, unstableSource } from '../../../tools/bootstrap/apt.mjs';

const security =
  'Types: deb\nURIs: http://mirror.example/debian-security\nSuites: bookworm-security\nComponents: main\n';
const main =
  '# a comment\nTypes: deb deb-src\nURIs: http://mirror.example/debian http://second.example/debian\nSuites: bookworm bookworm-updates\nComponents: main contrib\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n';

describe('the archive that a Debian machine is configured for', () => {
  test('is read from a .sources file, past the security archive', () => {
    expect(mainArchive([{ name: 'debian.sources', text: `${security}\n${main}` }])).toMatchObject({
      uri: 'http://mirror.example/debian',
      signedBy: '/usr/share/keyrings/debian-archive-keyring.gpg',
    });
  });

  test('is read from one-line entries, with and without options', () => {
    const text =
      '# deb http://old.example/debian bookworm main\ndeb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian bookworm main\n';
    expect(mainArchive([{ name: 'sources.list', text }])).toMatchObject({
      uri: 'http://mirror.example/debian',
      signedBy: '/k.gpg',
    });
    expect(
      mainArchive([{ name: 'sources.list', text: 'deb http://plain.example/debian bookworm main' }]),
    ).toMatchObject({ uri: 'http://plain.example/debian', signedBy: null });
  });

  test.each([
    ['disabled', `${main}Enabled: no\n`],
    ['for sources only', main.replace('deb deb-src', 'deb-src')],
    ['of another component', main.replace('main contrib', 'nodistro')],
    ['the security archive', security],
  ])('is not an entry that is %s', (_, text) => {
    expect(mainArchive([{ name: 'x.sources', text }])).toBeNull();
  });

  test('is used with its unstable suite, signed by the same keys', () => {
    expect(unstableSource({ uri: 'http://mirror.example/debian', signedBy: '/k.gpg' })).toBe(
      'Types: deb\nURIs: http://mirror.example/debian\nSuites: unstable\nComponents: main\nSigned-By: /k.gpg\n',
    );
  });
});
