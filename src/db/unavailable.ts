import { AppError, UnavailableError } from '../domain/errors.ts';

/** What mysql2 and the sockets say when the server is not there, went away, or takes nobody. */
const awayCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'ENOENT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_QUERY_INTERRUPTED',
  'POOL_CLOSED',
]);

const awayMessages =
  /Can't add new command when connection is in closed state|Pool is closed|Queue limit reached|Connection lost|read ECONNRESET/;

/**
 * The only translation of MySQL being away: UnavailableError('mysql') for errors that say so, everything else
 * as it came.
 */
export function translateUnavailable(error: unknown): unknown {
  if (error instanceof AppError || !isMysqlAway(error)) return error;
  return new UnavailableError('MySQL is not available', { dependency: 'mysql', cause: error });
}

/**
 * True when the error, or what caused it, says that MySQL was not reached or went away. Told by what it says,
 * not by its class: errors of Node itself may be of another realm.
 */
export function isMysqlAway(error: unknown): boolean {
  for (let each = error, depth = 0; isRecord(each) && depth < 8; each = each['cause'], depth += 1) {
    const { code, message, errors } = each;
    if (typeof code === 'string' && awayCodes.has(code)) return true;
    if (typeof message === 'string' && awayMessages.test(message)) return true;
    if (Array.isArray(errors) && errors.some((inner) => isMysqlAway(inner))) return true;
  }
  return false;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
