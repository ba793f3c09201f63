import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createShutdown, type ShutdownProcess } from '../../src/runtime/shutdown.ts';

function world(limitMs = 1000) {
  const clock = { ms: 0 };
  const signals = new EventEmitter();
  const exits: number[] = [];
  const errors: object[] = [];
  const host: ShutdownProcess = {
    on: (event, listener) => signals.on(event, listener),
    exit: (code) => void exits.push(code),
  };
  const log = { info: () => undefined, error: (fields: object) => void errors.push(fields) };
  const timer = { nowMs: () => clock.ms };
  return { clock, signals, exits, errors, shutdown: createShutdown({ log, limitMs, process: host, timer }) };
}

describe('a process that receives a stop signal', () => {
  test('stops its parts in reverse order, one after another, and exits with 0', async () => {
    const { shutdown, exits } = world();
    const order: string[] = [];
    shutdown.onStop('database', () => void order.push('database'));
    shutdown.onStop('server', async () => {
      await pause(20);
      order.push('server');
    });
    await shutdown.stop('test');
    expect(order).toEqual(['server', 'database']);
    expect(exits).toEqual([0]);
  });

  test('still stops the other parts when one fails, names the failed one and exits with 1', async () => {
    const { shutdown, exits, errors } = world();
    const order: string[] = [];
    shutdown.onStop('database', () => void order.push('database'));
    shutdown.onStop('server', () => Promise.reject(new Error('no')));
    await shutdown.stop('test');
    expect(order).toEqual(['database']);
    expect(errors).toEqual([expect.objectContaining({ part: 'server' })]);
    expect(exits).toEqual([1]);
  });

  test('exits with 1 after the time limit although a part never stops', async () => {
    const { shutdown, exits } = world(30);
    shutdown.onStop('stuck', () => new Promise(() => undefined));
    await shutdown.stop('test');
    expect(exits).toEqual([1]);
  });

  test.each(['SIGINT', 'SIGTERM'])(
    'reacts to %s, aborts long waits at once, and stops its parts once for repeated signals',
    async (signal) => {
      const { shutdown, signals, exits } = world();
      let runs = 0;
      shutdown.onStop('server', () => void (runs += 1));
      signals.emit(signal);
      expect(shutdown.signalled.aborted).toBe(true);
      signals.emit(signal);
      await shutdown.stop('joined');
      expect(runs).toBe(1);
      expect(exits).toEqual([0]);
    },
  );

  test('exits with the code of the failure that stopped it', async () => {
    const { shutdown, exits } = world();
    await shutdown.stop('the worker failed', 1);
    expect(exits).toEqual([1]);
  });

  test('exits at once with 1 after a second signal, but ignores a repeat of the first one', async () => {
    const { clock, shutdown, signals, exits } = world(60_000);
    const stuck = Promise.withResolvers<void>();
    shutdown.onStop('stuck', () => stuck.promise);
    signals.emit('SIGTERM');
    clock.ms += 999;
    signals.emit('SIGINT');
    expect(exits).toEqual([]);
    clock.ms += 1;
    signals.emit('SIGTERM');
    expect(exits).toEqual([1]);
    stuck.resolve();
    await shutdown.stop('test');
  });
});
