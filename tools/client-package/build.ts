import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from '../bootstrap/command.mjs';

const root = resolve(import.meta.dirname, '../..');

interface Manifest {
  version: string;
  description: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

/**
 * Builds an npm package of the command line client alone and packs it. The client is compiled, because Node
 * strips types only outside of `node_modules`. The package has a separate manifest, because users of the
 * client should not install the service: it depends on what the compiled files import, in our versions. `out`
 * defaults to `dist`. Answers the path of the tarball.
 */
export async function buildClientPackage(
  out = join(root, 'dist'),
): Promise<{ tarball: string; files: number }> {
  const [built, home] = [join(out, 'compiled'), join(out, 'package')];
  for (const folder of [built, home]) await rm(folder, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  await succeed(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--project',
    join(root, 'tools/client-package/tsconfig.json'),
    '--outDir',
    built,
  ]);
  // The contract is compiled as well because the client uses its types; packagesOf checks that none of it is
  // imported at run time.
  await cp(join(built, 'cli'), join(home, 'lib', 'cli'), { recursive: true });
  const files = (await readdir(join(home, 'lib'), { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  await writeFile(join(home, 'package.json'), `${JSON.stringify(await manifestOf(files), null, 2)}\n`);
  await cp(join(root, 'LICENSE'), join(home, 'LICENSE'));
  await cp(join(root, 'docs/cli.md'), join(home, 'README.md'));
  const output = await succeed(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', out],
    home,
  );
  return { tarball: join(out, nameOf(output)), files: files.length };
}

async function manifestOf(files: readonly string[]): Promise<unknown> {
  const { version, license, engines, dependencies }: Manifest = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const names = [...new Set((await Promise.all(files.map(packagesOf))).flat())].toSorted();
  const pinned = names.map((name): [string, string] => {
    const wanted = dependencies[name];
    if (wanted === undefined)
      throw new Error(`The client imports ${name}, which is not one of our dependencies`);
    return [name, wanted];
  });
  return {
    name: 'parlance',
    version,
    description: 'Command-line client of Parlance: agents as files, conversations, webhooks.',
    license,
    type: 'module',
    engines,
    bin: { parlance: 'lib/cli/main.js' },
    files: ['lib'],
    dependencies: Object.fromEntries(pinned),
  };
}

/** Packages that a compiled file imports. Throws when it imports a file outside the client. */
async function packagesOf(file: string): Promise<string[]> {
  const imports = [
    ...(await readFile(file, 'utf8')).matchAll(
      /^(?:import|export)\b[^;]*?from '([^']+)';|^import '([^']+)';|\bimport\('([^']+)'\)/gm,
    ),
  ].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
  for (const each of imports.filter((name) => name.startsWith('.'))) {
    const inside = relative(
      join(file.slice(0, file.lastIndexOf('/lib/')), 'lib', 'cli'),
      resolve(dirname(file), each),
    );
    if (inside.startsWith('..')) throw new Error(`${file} imports ${each}, which is not part of the client`);
  }
  return imports
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

function nameOf(output: string): string {
  const [, name] = /"filename": "([^"]+)"/.exec(output) ?? [];
  if (name === undefined) throw new Error(`npm pack printed no file name:\n${output}`);
  return name;
}

async function succeed(program: string, args: string[], cwd = root): Promise<string> {
  const { code, output } = await run(program, args, { cwd, timeoutMs: 120_000 });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
