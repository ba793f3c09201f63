import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.mjs';
import { lineWith } from './json-lines.mjs';
import { root, statePath } from './project.mjs';
import { failureOf, say, step } from './report.mjs';

/**
 * Migrates the database, applies temporal.yaml and seeds. Each step does nothing if it is already done.
 * Answers the API key.
 */
export async function prepare(env) {
  const title = 'Migrating the database, applying temporal.yaml, seeding the demonstration organization';
  return step({ title, about: '0:05' }, async () => {
    const { code, output } = await run(process.execPath, [join(root, 'tools/bootstrap/prepare-main.mjs')], {
      cwd: root,
      env,
      timeoutMs: 180_000,
    });
    if (code !== 0)
      throw failureOf(
        'The database and Temporal could not be prepared',
        'fix the cause above; if DATABASE_URL or TEMPORAL_ADDRESS is set, its server must be reachable',
        output,
      );
    return keepApiKey(seededKey(output));
  });
}

/**
 * The new key in the seed's output, a line `{"apiKey": "..."}` between log lines; null when the seed made
 * none.
 */
export function seededKey(output) {
  const key = lineWith(output, 'apiKey');
  return typeof key === 'string' ? key : null;
}

const keyFile = () => statePath('dev-api-key');

/** The key of the first start is printed once and stored for the demonstration. */
function keepApiKey(made) {
  if (made !== null) {
    writeFileSync(keyFile(), `${made}\n`, { mode: 0o600 });
    say(`    Development API key (shown only once, stored in ${keyFile()}): ${made}`);
    return made;
  }
  return existsSync(keyFile()) ? readFileSync(keyFile(), 'utf8').trim() : null;
}
