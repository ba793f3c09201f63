import { describe, expect, test } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { UnavailableError } from '../../src/domain/errors.ts';
import { createLogger } from '../../src/runtime/logger.ts';

function logged(fields: Record<string, unknown>): unknown {
  const lines: string[] = [];
  createLogger({ level: 'info', role: 'test', destination: { write: (line) => lines.push(line) } }).error(fields, 'Something failed');
  return JSON.parse(lines[0] ?? '');
}

const driverError = Object.assign(new Error("Duplicate entry 'ada@example.test' for key 'uq_users_email'"), { code: 'ER_DUP_ENTRY', sql: "INSERT INTO users VALUES ('ada@example.test')" });

describe('a log line', () => {
  test('is JSON with time, level, role and the fixed sentence', () => {
    expect(logged({ callId: 7 })).toEqual({ level: 'error', time: expect.stringMatching(/^\d{4}-.*Z$/), role: 'test', pid: process.pid, callId: 7, msg: 'Something failed' });
  });

  test('drops what belongs to a person, and credentials', () => {
    const line = JSON.stringify(logged({ pii: { name: 'Ada' }, caller: { pii: 'Ada', password: 'hunter2' }, req: { headers: { 'x-api-key': 'prl_secret' } } }));
    expect(line).not.toMatch(/Ada|hunter2|prl_secret/);
  });

  test.each([
    ['a failed statement', new QueryFailedError('INSERT INTO users VALUES (?)', ['ada@example.test'], driverError)],
    ['what stands behind a failure', new UnavailableError('MySQL is not available', { dependency: 'mysql', cause: driverError })],
    ['a refusal of a vendor', Object.assign(new Error('400 cannot say «ada@example.test»'), { status: 400, headers: {} })],
  ])('names %s by class, code and place, and quotes nothing of it', (_name, err) => {
    const line = logged({ err });
    expect(JSON.stringify(line)).not.toContain('ada@example.test');
    expect(line).toMatchObject({ err: { type: err.name, at: expect.arrayContaining([expect.stringContaining('logger.test.ts')]) } });
  });

  test('keeps the words of an error that quotes nothing, and of its causes', () => {
    const err = new UnavailableError('MySQL is not available', { dependency: 'mysql', cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:3306'), { code: 'ECONNREFUSED' }) });
    expect(logged({ err })).toMatchObject({ err: { type: 'UnavailableError', code: 'unavailable', message: 'MySQL is not available', cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:3306' } } });
  });
});
