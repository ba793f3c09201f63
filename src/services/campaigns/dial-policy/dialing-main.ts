/**
 * `npm run dialing:stop`, `npm run dialing:resume`: stops and resumes the campaigns of all organizations or
 * of one (docs/runbooks/stop-dialing.md). Reports as JSON on standard output.
 */
import { configOfThisProcess } from '../../../config/read-env.ts';
import { createDataSource } from '../../../db/data-source.ts';
import { AppError } from '../../../domain/errors.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { randomIds } from '../../../runtime/ids.ts';
import { createLogger } from '../../../runtime/logger.ts';
import { resumeByOperator, stopByOperator } from './operator-switch.ts';
import { readArguments, usage } from './read-arguments.ts';

const [verb, ...rest] = process.argv.slice(2);
const asked = readArguments(rest);
if ('fault' in asked || (verb !== 'stop' && verb !== 'resume')) {
  process.stderr.write(`${'fault' in asked ? asked.fault : 'stop or resume?'}\n\n${usage}\n`);
  process.exit(2);
}
const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'dialing', destination: process.stderr });
const db = await createDataSource({ url: config.databaseUrl, poolSize: 2 });
try {
  const deps = { db, clock: systemClock, ids: randomIds, log };
  const switched =
    verb === 'stop'
      ? await stopByOperator({ deps, input: asked })
      : await resumeByOperator({ deps, input: asked });
  process.stdout.write(`${JSON.stringify(switched, null, 2)}\n`);
} catch (error) {
  log.fatal({ err: error }, error instanceof AppError ? error.message : 'Nothing was switched');
  process.exitCode = 1;
} finally {
  await db.destroy();
}
