import { AppError, UnavailableError } from '../domain/errors.ts';

/** Error codes of mysql2 and of sockets when the server is unreachable, went down, or refuses connections. */
const unavailableCodes: ReadonlySet<string> = new Set([
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

const unavailableMessages =
  /Can't add new command when connection is in closed state|Pool is closed|Queue limit reached|Connection lost|read ECONNRESET/;

/**
 * The only place that translates errors of an unavailable MySQL, into UnavailableError('mysql'). Other errors
 * stay unchanged.
 */
export function translateUnavailable(error: unknown): unknown {
  if (error instanceof AppError || !isMysqlUnavailable(error)) return error;
  return new UnavailableError('MySQL is not available', { dependency: 'mysql', cause: error });
}

/**
 * True when the error or one of its causes says that MySQL is unavailable. Tested by code and message, not by
 * class, because Node's own errors may come from another realm.
 */
export function isMysqlUnavailable(error: unknown): boolean {
  for (let each = error, depth = 0; isRecord(each) && depth < 8; each = each['cause'], depth += 1) {
    const { code, message, errors } = each;
    if (typeof code === 'string' && unavailableCodes.has(code)) return true;
    if (typeof message === 'string' && unavailableMessages.test(message)) return true;
    if (Array.isArray(errors) && errors.some((inner) => isMysqlUnavailable(inner))) return true;
  }
  return false;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
