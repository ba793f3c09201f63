import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.mjs';
import { root, statePath } from './project.mjs';
import { failureOf, say, step } from './report.mjs';

/**
 * Migrates the database, applies temporal.yaml and seeds; each does nothing where it is done. Answers the API
 * key.
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
        'remove the cause above; DATABASE_URL and TEMPORAL_ADDRESS must name servers that answer when they are set',
        output,
      );
    return keepApiKey(seededKey(output));
  });
}

/**
 * The key that the seed says it made, in a line `{"apiKey": "..."}` among those of its log; null when it made
 * none this time.
 */
export function seededKey(output) {
  const answer = output
    .split('\n')
    .map(parseLine)
    .find((line) => line?.apiKey !== undefined);
  return typeof answer?.apiKey === 'string' ? answer.apiKey : null;
}

function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null; // a line for people
  }
}

const keyFile = () => statePath('dev-api-key');

/** The key made at the first start is printed once and kept for the demonstration. */
function keepApiKey(made) {
  if (made !== null) {
    writeFileSync(keyFile(), `${made}\n`, { mode: 0o600 });
    say(`    Development API key (shown this once, kept in ${keyFile()}): ${made}`);
    return made;
  }
  return existsSync(keyFile()) ? readFileSync(keyFile(), 'utf8').trim() : null;
}
