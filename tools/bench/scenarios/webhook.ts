import { In } from 'typeorm';
import { calls } from '../../../src/db/tables/calls.ts';
import { until } from '../../../test/support/until.ts';
import { createAgent, openConversation } from '../conversations.ts';
import { atPace, concurrently } from '../concurrency.ts';
import { figure, type Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { MeasuredService } from '../service.ts';
import { summarize, type Summary } from '../statistics.ts';

interface Outcome {
  name: string;
  /** From the call's end in its row to the arrival at the receiver. */
  sinceEnd: Summary;
  /** From the request that ends the call. */
  sinceRequest: Summary;
}

const wantedP95Ms = 1000;

/** Measures how soon after the end of a call its webhook arrives. */
export async function measureWebhooks({ service, isQuick, print }: ScenarioOptions): Promise<Section> {
  const agentId = await createAgent(service.api, service.receiver.url);
  await service.model.answerAfter(0);
  const [paced, burst] = isQuick ? [5, 10] : [60, 50];
  await run(service, agentId, { name: 'warm-up', count: 3, everyMs: 0 });
  const outcomes: Outcome[] = [];
  for (const load of [
    { name: `${paced} calls, one a second`, count: paced, everyMs: 1000 },
    { name: `${burst} calls at once`, count: burst, everyMs: 0 },
  ]) {
    print(`webhook: ${load.name}`);
    outcomes.push(await run(service, agentId, load));
  }
  const plain = await plainPosts(service.receiver.url);
  return section(outcomes, plain);
}

async function run(
  { api, db, receiver }: MeasuredService,
  agentId: number,
  { name, count, everyMs }: { name: string; count: number; everyMs: number },
): Promise<Outcome> {
  const conversations = await concurrently({ count, width: 8 }, () => openConversation(api, agentId));
  const ended = await atPace({ count, everyMs }, async (index) => {
    const conversation = conversations[index];
    if (conversation === undefined) throw new Error('There are fewer conversations than ends');
    return { callId: conversation.callId, ...(await conversation.end()) };
  });
  await until(
    'the arrival of every webhook',
    async () => ended.every(({ callId }) => receiver.arrivedAtByCall.has(callId)),
    60_000,
  );
  const rows = await db.getRepository(calls).findBy({ id: In(ended.map(({ callId }) => callId)) });
  const arrivals = ended.map(({ callId, sentAt }) => ({
    sentAt,
    arrivedAt: receiver.arrivedAtByCall.get(callId) ?? Number.NaN,
    endedAt: rows.find(({ id }) => id === callId)?.endedAt?.getTime() ?? Number.NaN,
  }));
  return {
    name,
    sinceEnd: summarize(arrivals.map(({ arrivedAt, endedAt }) => arrivedAt - endedAt)),
    sinceRequest: summarize(arrivals.map(({ arrivedAt, sentAt }) => arrivedAt - sentAt)),
  };
}

/** The baseline: plain requests to the same receiver. */
async function plainPosts(url: string): Promise<Summary> {
  const body = JSON.stringify({ event: 'call_ended', note: 'x'.repeat(500) });
  const times: number[] = [];
  for (let count = 0; count < 200; count += 1) {
    const begun = performance.now();
    const answer = await fetch(url, { method: 'POST', body });
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
  }
  return summarize(times.slice(20));
}

function section(outcomes: readonly Outcome[], plain: Summary): Section {
  return {
    id: 'webhook',
    title: 'Webhook after the end of a call',
    method: [
      'Calls are opened first and then ended by `POST …/end`; the graph has one webhook and nothing to extract. *Since the end* counts from `ended_at` of the call (taken just before the record is committed) to the first byte of the webhook at a receiver on the same machine: render, commit, hand-over to the pump, signature, request. *Since the request* counts from sending the request that ends the call.',
      `The baseline is one plain \`fetch\` to the same receiver, there and back: p50 ${figure(plain.p50)} ms, p95 ${figure(plain.p95)} ms. The ratio compares the durable delivery with it.`,
    ],
    tables: [
      {
        columns: [
          'Load',
          'Since the end p50 / p95 / max, ms',
          'Since the request p50 / p95, ms',
          'Ratio p50',
        ],
        rows: outcomes.map(({ name, sinceEnd, sinceRequest }) => [
          name,
          `${figure(sinceEnd.p50)} / ${figure(sinceEnd.p95)} / ${figure(sinceEnd.max)}`,
          `${figure(sinceRequest.p50)} / ${figure(sinceRequest.p95)}`,
          `${figure(sinceEnd.p50 / plain.p50)} ×`,
        ]),
      },
    ],
    targets: outcomes.map(({ name, sinceEnd }) => ({
      what: `First attempt since the end, ${name}, p95`,
      wanted: `≤ ${figure(wantedP95Ms)} ms`,
      measured: `${figure(sinceEnd.p95)} ms`,
      isMet: sinceEnd.p95 <= wantedP95Ms,
    })),
  };
}
