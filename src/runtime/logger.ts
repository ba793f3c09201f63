import { pino, type Logger } from 'pino';
import { errorFields } from './error-fields.ts';
import type { Tracing } from './tracing.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  level: string;
  /** The process role, in every line. */
  role: string;
  /** The output stream; standard output when absent. */
  destination?: { write(line: string): void };
  /** Adds trace and span ids, under OpenTelemetry's names, to lines of traced work. Called for each line. */
  tracing?: () => Pick<Tracing, 'active'>;
}

/**
 * JSON lines: a fixed sentence in `msg`, data in fields. Personal data goes under the key `pii`, which is
 * never written; neither are credentials in headers. Of an error under `err`, only parts that cannot quote
 * personal data are written.
 */
export function createLogger({ level, role, destination, tracing }: LoggerOptions): Logger {
  const options = {
    level,
    base: { role, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: (error: unknown) => errorFields(error) },
    ...(tracing === undefined ? {} : { mixin: () => traceFields(tracing()) }),
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        // guarantee: logger-drops-personal-fields
        'pii',
        '*.pii',
        'req.headers',
        'res.headers',
        '*.authorization',
        '*["x-api-key"]',
        '*.apiKey',
        '*.password',
      ],
      remove: true,
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function traceFields(tracing: Pick<Tracing, 'active'>): { trace_id?: string; span_id?: string } {
  const trace = tracing.active();
  return trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId };
}
