import { pino, type Logger } from 'pino';
import { errorFields } from './error-fields.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  level: string;
  /** The process role, on every line. */
  role: string;
  /** A stream to write to; standard output when absent. */
  destination?: { write(line: string): void };
}

/**
 * JSON lines: a fixed sentence in `msg`, data in fields. Whatever belongs to a person goes under the key `pii`,
 * which is never written; neither are credentials in headers. Of an error under `err` only that is written which quotes nobody.
 */
export function createLogger({ level, role, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { role, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: (error: unknown) => errorFields(error) },
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['pii', '*.pii', 'req.headers', 'res.headers', '*.authorization', '*["x-api-key"]', '*.apiKey', '*.password'],
      remove: true,
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
