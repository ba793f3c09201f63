/**
 * `npm run password:reset -- <email>`: gives a user a new password and ends all sessions of the user
 * (docs/runbooks/reset-password.md). Prints a JSON report with the password to standard output. With
 * `--stdin` it reads the password from standard input and does not print it. With `--turn-off-codes` the user signs
 * in without one-time codes.
 */
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { configWithoutKeys } from '../../../config/read-env.ts';
import { minPasswordLength } from '../../../contract/users.ts';
import { createDataSource } from '../../../db/data-source.ts';
import { AppError } from '../../../domain/errors.ts';
import { createArgon2 } from '../../../providers/passwords/argon2.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { randomIds } from '../../../runtime/ids.ts';
import { createLogger } from '../../../runtime/logger.ts';
import { resetPassword } from './reset-password.ts';

const usage = `Usage: npm run --silent password:reset -- <email> [--stdin] [--turn-off-codes]
  --stdin           read the new password from standard input; without it one is made and printed
  --turn-off-codes  let the user sign in without a code of an authenticator app`;

interface Asked {
  email: string;
  isGiven: boolean;
  turnsOffCodes: boolean;
}

function readArguments(args: string[]): Asked | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { stdin: { type: 'boolean' }, 'turn-off-codes': { type: 'boolean' } },
      allowPositionals: true,
    });
    const [email] = positionals;
    if (email === undefined || positionals.length > 1) return null;
    return {
      email,
      isGiven: values.stdin === true,
      turnsOffCodes: values['turn-off-codes'] === true,
    };
  } catch {
    return null;
  }
}

function refuse(fault: string): never {
  process.stderr.write(`${fault}\n\n${usage}\n`);
  process.exit(2);
}

const asked = readArguments(process.argv.slice(2)) ?? refuse('Which user?');
const given = asked.isGiven ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
if (given !== null && given.length < minPasswordLength)
  refuse(`The password on standard input must have at least ${minPasswordLength} characters.`);
const password = given ?? randomBytes(15).toString('base64url');
const config = configWithoutKeys();
const log = createLogger({ level: config.logLevel, role: 'password-reset', destination: process.stderr });
const db = await createDataSource({ url: config.databaseUrl, poolSize: 2 });
try {
  const done = await resetPassword({
    deps: { db, clock: systemClock, ids: randomIds, passwords: createArgon2() },
    input: { email: asked.email, password, turnsOffCodes: asked.turnsOffCodes },
  });
  const report = { ...done, ...(given === null ? { password } : {}) };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
} catch (error) {
  log.fatal({ err: error }, error instanceof AppError ? error.message : 'The password was not reset');
  process.exitCode = 1;
} finally {
  await db.destroy();
}
