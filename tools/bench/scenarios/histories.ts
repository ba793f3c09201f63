import { calls } from '../../../src/db/tables/calls.ts';
import { callWorkflowId } from '../../../src/domain/temporal-ids.ts';
import { until } from '../../../test/support/until.ts';
import { createAgent, openConversation } from '../conversations.ts';
import { figure, type Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { MeasuredService } from '../service.ts';
import { trendOf } from '../statistics.ts';

interface Measured {
  turns: number;
  events: number;
  bytes: number;
  /** Number of events by kind. */
  kinds: ReadonlyMap<string, number>;
}

/** Measures the length of call histories. */
export async function measureHistories({ service, print }: ScenarioOptions): Promise<Section> {
  const agentId = await createAgent(service.api, service.receiver.url);
  await service.model.answerAfter(0);
  const measured: Measured[] = [];
  for (const turns of [1, 5, 20]) {
    print(`histories: a call of ${turns} turn(s)`);
    measured.push(await measure(service, agentId, turns));
  }
  return section(measured);
}

async function measure(
  { api, db, temporal }: MeasuredService,
  agentId: number,
  turns: number,
): Promise<Measured> {
  const conversation = await openConversation(api, agentId);
  for (let turn = 0; turn < turns; turn += 1)
    await conversation.say('What can you print me about my appointment?');
  await conversation.end();
  const { uuid } = await db.getRepository(calls).findOneByOrFail({ id: conversation.callId });
  const handle = temporal.client.workflow.getHandle(callWorkflowId(uuid));
  const closed = await until('the end of the Workflow', async () => {
    const description = await handle.describe();
    return description.status.name === 'COMPLETED' ? description : undefined;
  });
  const { events } = await handle.fetchHistory();
  const kinds = new Map<string, number>();
  for (const event of events ?? []) kinds.set(kindOf(event), (kinds.get(kindOf(event)) ?? 0) + 1);
  return { turns, events: closed.historyLength, bytes: closed.historySize ?? 0, kinds };
}

/** The one attribute field of an event names its kind. */
function kindOf(event: object): string {
  const field =
    Object.entries(event).find(
      ([name, value]) => name.endsWith('EventAttributes') && value !== null && value !== undefined,
    )?.[0] ?? 'unknown';
  return field.replace('EventAttributes', '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function section(measured: readonly Measured[]): Section {
  const slope = (read: (each: Measured) => number) =>
    trendOf(measured.map((each) => ({ x: each.turns, y: read(each) }))).slope;
  const kinds = [...new Set(measured.flatMap((each) => [...each.kinds.keys()]))];
  const perTurn = kinds
    .map((kind) => ({ kind, slope: slope((each) => each.kinds.get(kind) ?? 0) }))
    .filter((each) => each.slope > 0.05);
  return {
    id: 'histories',
    title: 'Histories',
    method: [
      "Calls with a greeting, some messages with one model answer each, `POST …/end` and one webhook. Their histories are read after their end; sizes are Temporal's own, without payload encryption. *A turn* is the trend over the three. Temporal suggests a new Run at 4,096 events or 4 MB and refuses more than 51,200 or 50 MB; a call follows the suggestion (continue as new).",
      `A turn has: ${perTurn.map((each) => `${each.kind} ${figure(each.slope)}`).join(', ')}.`,
    ],
    tables: [
      {
        columns: ['Turns', 'Events', 'kB'],
        rows: [
          ...measured.map(({ turns, events, bytes }) => [
            String(turns),
            String(events),
            figure(bytes / 1000),
          ]),
          ['A turn', figure(slope(({ events }) => events)), figure(slope(({ bytes }) => bytes) / 1000)],
        ],
      },
    ],
    targets: [],
  };
}
