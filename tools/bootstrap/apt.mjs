import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, which } from './command.mjs';
import { failureOf } from './report.mjs';

/** Whether Debian packages can be installed here: it needs root and apt-get. */
export function isDebianRoot() {
  return process.getuid?.() === 0 && which('apt-get') !== null && existsSync('/etc/debian_version');
}

export async function installPackages(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => run('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], { env });
  const install = () => apt('install', '-y', '--no-install-recommends', ...names);
  if ((await install()).code === 0) return; // the package lists are recent enough
  await apt('update');
  const { code, output } = await install();
  if (code !== 0)
    throw failureOf(
      `apt-get could not install ${names.join(' ')}`,
      'check the connection to the package mirror of this machine',
      output,
    );
}

/**
 * The archive that a Debian machine is configured for: `{ uri, signedBy }` of the first enabled entry with
 * binary packages of component main, except the security archive; null without one. `files` are `{ name, text
 * }`.
 */
export function mainArchive(files) {
  const entries = files.flatMap(({ name, text }) =>
    name.endsWith('.sources') ? deb822Entries(text) : lineEntries(text),
  );
  return entries.find(({ uri, components }) => components.includes('main') && !/security/.test(uri)) ?? null;
}

function deb822Entries(text) {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const fields = Object.fromEntries(
      paragraph
        .split('\n')
        .filter((line) => /^[A-Za-z-]+:/.test(line))
        .map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
    );
    const words = (name) => (fields[name] ?? '').split(/\s+/).filter((each) => each !== '');
    if (!words('types').includes('deb') || fields.enabled === 'no' || words('uris').length === 0) return [];
    return [
      { uri: words('uris')[0], components: words('components'), signedBy: fields['signed-by'] || null },
    ];
  });
}

function lineEntries(text) {
  return text.split('\n').flatMap((line) => {
    const match = /^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+\S+\s+(.+)$/.exec(line.trim());
    if (match === null) return [];
    return [
      {
        uri: match[2],
        components: match[3].split(/\s+/),
        signedBy: /signed-by=(\S+)/.exec(match[1] ?? '')?.[1] ?? null,
      },
    ];
  });
}

/** The archive of this machine. */
export function configuredArchive(folder = '/etc/apt') {
  const listed = existsSync(join(folder, 'sources.list.d'))
    ? readdirSync(join(folder, 'sources.list.d'))
        .filter((each) => /\.(sources|list)$/.test(each))
        .map((each) => join('sources.list.d', each))
    : [];
  const names = ['sources.list', ...listed].filter((each) => existsSync(join(folder, each)));
  return mainArchive(names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })));
}

/** A source entry for the unstable suite of an archive. */
export function unstableSource({ uri, signedBy }) {
  return [
    'Types: deb',
    `URIs: ${uri}`,
    'Suites: unstable',
    'Components: main',
    ...(signedBy === null ? [] : [`Signed-By: ${signedBy}`]),
    '',
  ].join('\n');
}
