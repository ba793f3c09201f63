import { join } from 'node:path';
import { run, tail } from './command.mjs';
import { lineWith } from './json-lines.mjs';
import { root } from './project.mjs';
import { say } from './report.mjs';

/**
 * A fresh link that signs the demonstration's user in to the console; null, with the reason said, if there is
 * none. The process needs no keys: it stores a hash.
 */
export async function newSignInLink({ apiUrl, databaseUrl }) {
  const { code, output } = await run(
    process.execPath,
    [join(root, 'src/services/identity/sign-in-link-main.ts')],
    { cwd: root, env: { ...process.env, DATABASE_URL: databaseUrl }, timeoutMs: 30_000 },
  );
  const token = lineWith(output, 'signInToken');
  if (code === 0 && typeof token === 'string') return `${apiUrl}/#sign-in=${token}`;
  say(`! No sign-in link could be made: ${tail(output)}`);
  return null;
}
