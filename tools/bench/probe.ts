/**
 * Preloaded into every measured process (`node --import`): answers over its channel what the process has
 * used. It does nothing between two questions, so it does not disturb the measurement.
 *
 * `memory` collects garbage first, in the main thread and in each worker thread (which run the Workflow
 * sandbox), so that only live memory remains.
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

import { watchLoopLag, type LoopLag } from '../../src/runtime/loop-lag.ts';
import type { CpuAnswer, LagAnswer, MemoryAsTold } from './answers.ts';
import { residentIn } from './process-use.ts';

const limitMs = 10_000;
const mb = 1024 * 1024;

process.on('message', (question: unknown) => {
  if (question === 'cpu') process.send?.(cpu());
  if (question === 'lag') process.send?.(lag());
  if (question === 'memory') void memory().then((answer) => process.send?.(answer));
});
process.channel?.unref();

function cpu(): CpuAnswer {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000 };
}

let watched: LoopLag | undefined;

/** Measured from the first question on, so that it costs nothing unless it is used. */
function lag(): LagAnswer {
  return (watched ??= watchLoopLag()).read();
}

async function memory(): Promise<MemoryAsTold> {
  const session = new Session();
  session.connect();
  try {
    const threads = await connectThreads(session);
    await session.post('HeapProfiler.collectGarbage');
    await Promise.all(threads.map((thread) => thread('HeapProfiler.collectGarbage')));
    const heaps = await Promise.all(
      threads.map(async (thread) => heapUse(await thread('Runtime.getHeapUsage'))),
    );
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const ofThreads = (part: 'usedSize' | 'totalSize') =>
      heaps.reduce((total, each) => total + each[part], 0);
    return {
      rssMb: rss / mb,
      ...residentParts(),
      committedMb: (heapTotal + ofThreads('totalSize')) / mb,
      heapMb: heapUsed / mb,
      threadsHeapMb: ofThreads('usedSize') / mb,
      externalMb: external / mb,
    };
  } finally {
    session.disconnect();
  }
}

type Thread = (method: string) => Promise<unknown>;

/** Connects to the inspector of each worker thread. */
async function connectThreads(session: Session): Promise<Thread[]> {
  const sessionIds: string[] = [];
  const waiting = new Map<number, (result: unknown) => void>();
  session.on('NodeWorker.attachedToWorker', ({ params }) => sessionIds.push(params.sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id, result }: { id?: number; result?: unknown } = JSON.parse(params.message);
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  let asked = 0;
  return sessionIds.map((sessionId) => async (method) => {
    const id = (asked += 1);
    const answered = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, resolve);
      setTimeout(() => reject(new Error(`A thread did not answer ${method}`)), limitMs).unref();
    });
    await session.post('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id, method }),
    });
    return await answered;
  });
}

function heapUse(answer: unknown): { usedSize: number; totalSize: number } {
  return typeof answer === 'object' && answer !== null && 'usedSize' in answer && 'totalSize' in answer
    ? { usedSize: Number(answer.usedSize), totalSize: Number(answer.totalSize) }
    : { usedSize: 0, totalSize: 0 };
}

function residentParts(): { filesMb: number | null; mallocMb: number | null } {
  try {
    return residentIn(readFileSync('/proc/self/smaps', 'utf8'));
  } catch {
    return { filesMb: null, mallocMb: null };
  }
}
