import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, tail } from './command.mjs';
import { root, statePath } from './project.mjs';
import { StepError, say, step } from './report.mjs';

/**
 * Migrates the database, applies temporal.yaml and seeds; each does nothing where it is done. Answers the API
 * key.
 */
export async function prepare(env) {
  await step({ title: 'Migrating the database' }, () => task('src/db/migrate-main.ts', env));
  await step({ title: 'Applying temporal.yaml' }, () => task('src/temporal/apply-main.ts', env));
  return step({ title: 'Seeding the demonstration organization' }, async () =>
    keepApiKey(seededKey(await task('src/services/identity/seed-main.ts', env))),
  );
}

async function task(file, env) {
  const { code, output } = await run(process.execPath, [join(root, file)], {
    cwd: root,
    env,
    timeoutMs: 120_000,
  });
  if (code !== 0)
    throw new StepError(
      `${file} failed (code ${code}):\n${tail(output, 25)}`,
      'the reason above; DATABASE_URL and TEMPORAL_ADDRESS must name servers that answer when they are set',
    );
  return output;
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
