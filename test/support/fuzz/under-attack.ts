import { expect } from '@jest/globals';
import { useOf } from '../../../tools/bench/process-use.ts';
import type { RunningProcess } from '../process.ts';
import { sendRaw } from '../raw-packet.ts';
import { isEverythingGenerated, propertySeed, seededBy } from '../seed.ts';
import { sendPackets, type Bases } from './packets.ts';

/** No more than this above what the process uses when it is idle. */
const maxGrowthMb = 300;

/**
 * Sends mutated packets to the port of a process, and expects that it lives, answers as before, and has used
 * no more memory than it may at any time.
 */
export async function attack({
  title,
  running,
  port,
  bases,
  count,
  patienceMs = 150,
}: {
  title: string;
  running: RunningProcess;
  port: number;
  bases: Bases;
  count: { usual: number; all: number };
  /** How long a process may take to close a connection, after which it is left alone. */
  patienceMs?: number;
}): Promise<void> {
  const packets = isEverythingGenerated ? count.all : count.usual;
  const random = seededBy(propertySeed(`${packets} packets at ${title}`));
  const status = async () =>
    (await sendRaw(port, 'GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).text.slice(0, 12);
  const before = await status();
  expect(before).toMatch(/^HTTP\/1\.1 \d{3}$/);
  const idleMb = useOf(running.child.pid ?? null).rssMb;
  let maxMb = idleMb;
  const watch = setInterval(() => {
    maxMb = Math.max(maxMb, useOf(running.child.pid ?? null).rssMb);
  }, 100);
  const { sent } = await sendPackets({ port, count: packets, random, bases, patienceMs });
  clearInterval(watch);
  expect({
    code: running.child.exitCode,
    signal: running.child.signalCode,
    output: running.output(),
  }).toMatchObject({
    code: null,
    signal: null,
  });
  expect(await status()).toBe(before);
  expect(sent).toBeGreaterThan(0);
  process.stderr.write(`${title}: ${Math.round(idleMb)} MB idle, at most ${Math.round(maxMb)} MB\n`);
  expect(maxMb - idleMb || 0).toBeLessThan(maxGrowthMb); // not measurable on every system
}
