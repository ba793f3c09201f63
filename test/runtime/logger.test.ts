import { describe, expect, test } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { UnavailableError } from '../../src/domain/errors.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import type { Tracing } from '../../src/runtime/tracing.ts';

function logged(fields: Record<string, unknown>): unknown {
  const lines: string[] = [];
  createLogger({ level: 'info', role: 'test', destination: { write: (line) => lines.push(line) } }).error(
    fields,
    'Something failed',
  );
  return JSON.parse(lines[0] ?? '');
}

const driverError = Object.assign(new Error("Duplicate entry 'ada@example.test' for key 'uq_users_email'"), {
  code: 'ER_DUP_ENTRY',
  sql: "INSERT INTO users VALUES ('ada@example.test')",
});

describe('a log line', () => {
  test('is JSON with time, level, role and the fixed sentence', () => {
    expect(logged({ callId: 7 })).toEqual({
      level: 'error',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      role: 'test',
      pid: process.pid,
      callId: 7,
      msg: 'Something failed',
    });
  });

  // guarantee: logger-drops-personal-fields
  test('drops personal data and credentials', () => {
    const line = JSON.stringify(
      logged({
        pii: { name: 'Ada' },
        caller: { pii: 'Ada', password: 'hunter2' },
        req: { headers: { 'x-api-key': 'prl_secret' } },
      }),
    );
    expect(line).not.toMatch(/Ada|hunter2|prl_secret/);
  });

  test.each([
    [
      'a failed statement',
      new QueryFailedError('INSERT INTO users VALUES (?)', ['ada@example.test'], driverError),
    ],
    [
      'the cause of a failure',
      new UnavailableError('MySQL is not available', { dependency: 'mysql', cause: driverError }),
    ],
    [
      'a refusal by a vendor',
      Object.assign(new Error('400 cannot say «ada@example.test»'), { status: 400, headers: {} }),
    ],
  ])('has class, code and stack of %s, and quotes nothing of it', (_name, err) => {
    const line = logged({ err });
    expect(JSON.stringify(line)).not.toContain('ada@example.test');
    expect(line).toMatchObject({
      err: { type: err.name, at: expect.arrayContaining([expect.stringContaining('logger.test.ts')]) },
    });
  });

  test('of traced work has its trace and span ids; other lines have none', () => {
    const lines: string[] = [];
    let active: ReturnType<Tracing['active']> = {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      traceparent: '',
      isSampled: true,
    };
    const log = createLogger({
      level: 'info',
      role: 'test',
      destination: { write: (line) => lines.push(line) },
      tracing: () => ({ active: () => active }),
    });
    log.child({ callId: 7 }).info({}, 'Traced');
    active = undefined;
    log.info({}, 'Not traced');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ callId: 7, trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }),
      expect.not.objectContaining({ trace_id: expect.anything() }),
    ]);
  });

  test('keeps the messages of errors that quote nothing, and of their causes', () => {
    const err = new UnavailableError('MySQL is not available', {
      dependency: 'mysql',
      cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:3306'), { code: 'ECONNREFUSED' }),
    });
    expect(logged({ err })).toMatchObject({
      err: {
        type: 'UnavailableError',
        code: 'unavailable',
        message: 'MySQL is not available',
        cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:3306' },
      },
    });
  });
});
