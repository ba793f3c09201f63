import type { MemoryAnswer } from '../answers.ts';
import { growthCells, growthTarget, meanCells, type Growth } from '../growth.ts';
import { concurrently, pause } from '../concurrency.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { callPerson, logFromNow, settle, untilAllEnded } from '../phone/calls.ts';
import { endedLegs } from '../phone/carrier-log.ts';
import { listener } from '../phone/people.ts';
import { figure, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { until } from '../../../test/support/until.ts';

const width = 20;
/** The share of ignored samples: caches, pools and compiled code grow at first. */
const warmUpShare = 0.2;
const idleMs = 3000;
const roles = ['media', 'worker', 'api'] as const;

interface Sample {
  calls: number;
  roles: Record<(typeof roles)[number], MemoryAnswer>;
}

/**
 * Measures whether a process retains memory of every phone call. The calls are short: dial, answer, greeting,
 * hang-up, recording, webhook.
 */
export async function measureCallMemory({
  phone,
  isQuick,
  calls,
  print,
}: PhoneScenarioOptions): Promise<Section> {
  const [count, every] = isQuick ? [40, 10] : [calls, Math.ceil(calls / 20)];
  const media = await phone.startMedia();
  try {
    const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
    await phone.delayProviders({ firstTokenMs: 0, firstAudioMs: 0 });
    await settle(phone, listener, width);
    const samples: Sample[] = [];
    const begun = performance.now();
    for (let done = 0; done < count; done += every) {
      const log = await logFromNow(phone);
      let [called, ended] = [0, 0];
      await concurrently({ count: every, width }, async (index) => {
        await until(
          'a free line',
          async () => called - ended < width || called - (ended = endedLegs(await log()).size) < width,
          60_000,
        );
        called += 1;
        await callPerson(phone, agent, index % width);
      });
      await untilAllEnded(phone, agent, 120_000);
      await pause(idleMs);
      const { api, worker } = phone.service.roles;
      samples.push({
        calls: done + every,
        roles: { media: await media.role.memory(), worker: await worker.memory(), api: await api.memory() },
      });
      print(
        `calls-memory: ${done + every} calls, ${roles.map((role) => `${role} ${figure(samples.at(-1)?.roles[role].rssMb ?? Number.NaN)} MB`).join(', ')}`,
      );
    }
    return section(samples, { seconds: (performance.now() - begun) / 1000, part: count / 4 });
  } finally {
    await media.stop();
  }
}

type Read = (memory: MemoryAnswer) => number;

/** Memory that may grow. */
const held: readonly (readonly [string, Read])[] = [
  ['resident', ({ rssMb }) => rssMb],
  ['heap', ({ heapMb }) => heapMb],
  ["heap of the Workflow sandbox's threads", ({ threadsHeapMb }) => threadsHeapMb],
  ['buffers', ({ externalMb }) => externalMb],
];

/** Parts of resident memory. */
const made: readonly (readonly [string, Read])[] = [
  ['resident', ({ rssMb }) => rssMb],
  ["thereof V8's heaps, used or not", ({ committedMb }) => committedMb],
  ['thereof the C library', ({ mallocMb }) => mallocMb],
  ['thereof files', ({ filesMb }) => filesMb],
  ['thereof other', ({ rssMb, committedMb, mallocMb, filesMb }) => rssMb - committedMb - mallocMb - filesMb],
];

function growthsOf(samples: readonly Sample[], kinds: readonly (readonly [string, Read])[]): Growth[] {
  const wanted = roles.flatMap((role) => kinds.map(([what, read]) => ({ role, what, read })));
  return wanted
    .filter(({ role, what }) => role === 'worker' || !what.includes('sandbox'))
    .map(({ role, what, read }) => ({
      role,
      what,
      values: samples.map((each) => ({ calls: each.calls, mb: read(each.roles[role]) })),
    }));
}

function section(samples: readonly Sample[], { seconds, part }: { seconds: number; part: number }): Section {
  const kept = samples.filter((_, index) => index >= Math.floor(samples.length * warmUpShare));
  const rows = growthsOf(kept, held);
  const [first, last] = [kept[0]?.calls ?? 0, kept.at(-1)?.calls ?? 0];
  const parts = Array.from(
    { length: Math.ceil(last / part) },
    (_, index) => `${figure(index * part + 1)} to ${figure(Math.min(last, (index + 1) * part))}`,
  );
  return {
    id: 'calls-memory',
    title: 'Memory over many calls by phone',
    method: [
      `${figure(last)} calls, at most ${width} at a time: trigger, ring, answer, greeting, the callee hangs up, recording, one webhook (${figure(last / seconds)} a second, pauses included). After each part the service is idle for ${idleMs / 1000} s, garbage is collected in every thread, and memory is read. The trend is a straight line by least squares through the samples from call ${figure(first)} on; ± is twice its standard error.`,
      "The parts of resident memory, as the mean of the samples within those calls, in MB: the heaps that V8 reports, and the arenas of the C library and the files that the kernel reports. The rest is V8's compiled code, thread stacks, and single allocations too large for the C library's arenas.",
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
      {
        columns: ['Process', 'Memory', ...parts],
        rows: growthsOf(samples, made).map((each) => meanCells(each, part)),
      },
    ],
    targets: rows.filter(({ what }) => what === 'resident').map(growthTarget),
  };
}
