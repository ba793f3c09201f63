/**
 * Brings the schema up to date, applies temporal.yaml and seeds, in one process. Each step does nothing if it
 * is already done. Standard output gets the seed's answer.
 */
import { root } from './project.mjs';

for (const file of [
  'src/db/migrate-main.ts',
  'src/temporal/apply-main.ts',
  'src/services/identity/seed-main.ts',
]) {
  try {
    await import(`${root}/${file}`);
  } catch (error) {
    process.stderr.write(`${error?.stack ?? error}\n`);
    process.exitCode = 1;
  }
  if (process.exitCode) {
    process.stderr.write(`${file} failed\n`);
    break;
  }
}
