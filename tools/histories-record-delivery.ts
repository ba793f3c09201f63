import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { retryNowSignal } from '../src/workflows/delivery/messages.ts';
import { createDeliveryWorld, type DeliveryWorld, type RunningDelivery } from '../test/support/delivery-world.ts';
import { ok, startReceiver, statuses, waitUntil, type AnswerRule } from '../test/support/receiver.ts';

/**
 * Records histories of `deliveryWorkflow` for the replay test: one file per way through it, on the test servers that
 * `npm test` provides. Record again only for a release; a history that no longer replays is a finding, not a file to refresh.
 */
const release = process.argv[2] ?? '0.1.0';
const folder = new URL(`../test/histories/delivery/${release}/`, import.meta.url);
const hourMs = 3_600_000;

interface Scenario {
  name: string;
  answer: AnswerRule;
  schedule: number[];
  act?: (running: RunningDelivery) => Promise<void>;
}

const scenarios: Scenario[] = [
  { name: 'accepted-at-once', answer: ok, schedule: [0, hourMs] },
  { name: 'accepted-after-failures', answer: statuses(500, 429, 200), schedule: [0, 100, 100, 100] },
  { name: 'final-answer', answer: statuses(404), schedule: [0, hourMs] },
  { name: 'no-attempt-left', answer: statuses(503), schedule: [0, 100] },
  { name: 'canceled-while-waiting', answer: statuses(503), schedule: [0, hourMs], act: async ({ handle }) => void (await handle.cancel()) },
  { name: 'retried-by-hand', answer: statuses(503, 200), schedule: [0, hourMs], act: ({ handle }) => handle.signal(retryNowSignal) },
];

const world = await createDeliveryWorld();
try {
  await world.startWorker();
  await mkdir(folder, { recursive: true });
  for (const scenario of scenarios) await record(world, scenario);
} finally {
  await world.close();
}

async function record(world: DeliveryWorld, { name, answer, schedule, act }: Scenario): Promise<void> {
  const receiver = await startReceiver({ answer });
  try {
    const running = await world.deliver({ url: receiver.url }, { schedule });
    if (act !== undefined) {
      await waitUntil(async () => (await running.record()).delivery.nextAttemptAt !== null, 10_000, () => `${name}: no next attempt`);
      await act(running);
    }
    const end = await running.handle.result().then((result) => result.state, () => 'failed');
    await writeFile(new URL(`${name}.json`, folder), `${withoutMachine(historyToJSON(await running.handle.fetchHistory()))}\n`);
    console.log(`${name}: ${end}`);
  } finally {
    await receiver.close();
  }
}

/** Worker identities and sticky queues name a process and a machine: nobody's business, and no part of a replay. */
function withoutMachine(history: string): string {
  return history.replaceAll(`${process.pid}@${hostname()}`, 'recorder');
}
