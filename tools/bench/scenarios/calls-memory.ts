import type { MemoryAnswer } from '../answers.ts';
import { growthCells, growthTarget, type Growth } from '../growth.ts';
import { inLanes, pause } from '../lanes.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { callPerson, logFromNow, settle, untilAllEnded } from '../phone/calls.ts';
import { endedLegs } from '../phone/carrier-log.ts';
import { listener } from '../phone/people.ts';
import { figure, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { until } from '../../../test/support/until.ts';

const width = 20;
/** Samples that are not counted: caches, pools and compiled code grow at first. */
const warmUpShare = 0.2;
const idleMs = 3000;
const roles = ['media', 'worker', 'api'] as const;

interface Sample {
  calls: number;
  roles: Record<(typeof roles)[number], MemoryAnswer>;
}

/** Whether anybody keeps something of every phone call. The calls are short: dial, answer, greeting, hang-up, recording, webhook. */
export async function measureCallMemory({ phone, isQuick, tell }: PhoneScenarioOptions): Promise<Section> {
  const [count, every] = isQuick ? [40, 10] : [2000, 100];
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
      await inLanes({ count: every, width }, async (index) => {
        await until('a free line', async () => called - ended < width || called - (ended = endedLegs(await log()).size) < width, 60_000);
        called += 1;
        await callPerson(phone, agent, index % width);
      });
      await untilAllEnded(phone, agent, 120_000);
      await pause(idleMs);
      const { api, worker } = phone.service.roles;
      samples.push({ calls: done + every, roles: { media: await media.role.memory(), worker: await worker.memory(), api: await api.memory() } });
      tell(`calls-memory: ${done + every} calls, ${roles.map((role) => `${role} ${figure(samples.at(-1)?.roles[role].rssMb ?? Number.NaN)} MB`).join(', ')}`);
    }
    return section(samples, (performance.now() - begun) / 1000);
  } finally {
    await media.stop();
  }
}

function section(samples: readonly Sample[], seconds: number): Section {
  const kept = samples.filter((_, index) => index >= Math.floor(samples.length * warmUpShare));
  const row = (role: (typeof roles)[number], what: string, read: (memory: MemoryAnswer) => number): Growth => ({ role, what, values: kept.map((each) => ({ calls: each.calls, mb: read(each.roles[role]) })) });
  const rows = roles.flatMap((role) => [
    row(role, 'resident', ({ rssMb }) => rssMb),
    row(role, 'heap', ({ heapMb }) => heapMb),
    ...(role === 'worker' ? [row(role, "heap of the Workflow sandbox's threads", ({ threadsHeapMb }) => threadsHeapMb)] : []),
    row(role, 'buffers', ({ externalMb }) => externalMb),
  ]);
  const [first, last] = [kept[0]?.calls ?? 0, kept.at(-1)?.calls ?? 0];
  return {
    id: 'calls-memory',
    title: 'Memory over many calls by phone',
    method: [
      `${figure(last)} calls, at most ${width} at a time: trigger, ring, answer, greeting, the person hangs up, recording, one webhook (${figure(last / seconds)} a second, pauses included). After each part the service is left alone for ${idleMs / 1000} s, garbage is collected in every thread, and memory is read. The trend is a straight line by least squares through the samples from call ${figure(first)} on; ± is twice its standard error.`,
    ],
    tables: [{ columns: ['Process', 'Memory', `After ${figure(first)} calls, MB`, `After ${figure(last)}, MB`, 'MB per 1,000 calls'], rows: rows.map(growthCells) }],
    targets: rows.filter(({ what }) => what === 'resident').map(growthTarget),
  };
}
