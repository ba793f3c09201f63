import { until } from '../../../test/support/until.ts';
import type { MemoryAnswer } from '../answers.ts';
import { createAgent, openConversation } from '../conversations.ts';
import { growthCells, growthTarget, type Growth } from '../growth.ts';
import { concurrently, pause } from '../concurrency.ts';
import { figure, type Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';

interface Sample {
  calls: number;
  roles: { api: MemoryAnswer; worker: MemoryAnswer };
}

const width = 12;
/** The share of ignored samples: caches, pools and compiled code grow at first. */
const warmUpShare = 0.2;
const idleMs = 3000;

/** Measures whether API and worker retain memory of every call. */
export async function measureMemory({ service, calls, print }: ScenarioOptions): Promise<Section> {
  const agentId = await createAgent(service.api, service.receiver.url);
  await service.model.answerAfter(0);
  service.receiver.forget();
  const every = Math.max(20, Math.round(calls / 20));
  const samples: Sample[] = [];
  let busyMs = 0;
  for (let done = 0; done < calls; done += every) {
    const begun = performance.now();
    await concurrently({ count: every, width }, async (index) => {
      const conversation = await openConversation(service.api, agentId);
      for (let message = 0; message <= index % 2; message += 1)
        await conversation.say('What can you print me about my appointment?');
      await conversation.end();
    });
    busyMs += performance.now() - begun;
    const callsDone = done + every;
    await until(
      'the arrival of every webhook',
      async () => service.receiver.arrivedAt.size >= callsDone,
      120_000,
    );
    await pause(idleMs);
    const [api, worker] = [await service.roles.api.memory(), await service.roles.worker.memory()];
    samples.push({ calls: callsDone, roles: { api, worker } });
    print(`memory: ${callsDone} calls, API ${figure(api.rssMb)} MB, worker ${figure(worker.rssMb)} MB`);
  }
  return section(samples, { every, busyMs });
}

function section(samples: readonly Sample[], { every, busyMs }: { every: number; busyMs: number }): Section {
  const kept = samples.filter((_, index) => index >= Math.floor(samples.length * warmUpShare));
  const row = (role: 'api' | 'worker', what: string, read: (memory: MemoryAnswer) => number): Growth => ({
    role,
    what,
    values: kept.map(({ calls, roles }) => ({ calls, mb: read(roles[role]) })),
  });
  const rows = [
    row('api', 'resident', ({ rssMb }) => rssMb),
    row('api', 'heap', ({ heapMb }) => heapMb),
    row('worker', 'resident', ({ rssMb }) => rssMb),
    row('worker', 'heap', ({ heapMb }) => heapMb),
    row('worker', "heap of the Workflow sandbox's threads", ({ threadsHeapMb }) => threadsHeapMb),
    row('worker', 'buffers', ({ externalMb }) => externalMb),
  ];
  const [first, last] = [kept[0]?.calls ?? 0, kept.at(-1)?.calls ?? 0];
  return {
    id: 'memory',
    title: 'Memory over many calls',
    method: [
      `${figure(last)} text calls, ${width} at a time: opening, one or two messages, end, one webhook (${figure((last * 1000) / busyMs)} calls a second while they ran). After every ${every} calls the service is idle for ${idleMs / 1000} s, garbage is collected in every thread, and memory is read. The trend is a straight line by least squares through the samples from call ${figure(first)} on; ± is twice its standard error.`,
    ],
    tables: [
      {
        columns: [
          'Process',
          'Memory',
          `After ${figure(first)} calls, MB`,
          `After ${figure(last)}, MB`,
          'MB per 1,000 calls',
        ],
        rows: rows.map(growthCells),
      },
    ],
    targets: rows.filter(({ what }) => what === 'resident').map(growthTarget),
  };
}
