import { calls } from '../../../src/db/tables/calls.ts';
import {
  command,
  createCampaign,
  lines,
  untilCompleted,
  widenLines,
  type Directory,
} from '../campaigns/campaigns.ts';
import { importPeople } from '../campaigns/files.ts';
import { callInLoop } from '../campaigns/loop.ts';
import { createPhoneAgent, type PhoneAgent } from '../phone/agent.ts';
import { settle, untilAllEnded } from '../phone/calls.ts';
import { busy } from '../phone/people.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import { watchUse, parts, type Use } from '../phone/use.ts';
import { figure, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';

const wantedShare = 0.8;
const kinds = ['loop', 'campaign'] as const;

type Kind = (typeof kinds)[number];

interface Round {
  kind: Kind;
  calls: number;
  /** From the first call's row to the end of the last call. */
  seconds: number;
  use: Use;
}

/**
 * Compares the calls per second of a campaign with a plain loop that starts the same Workflow for the same
 * people.
 */
export async function measureCampaignCalls({
  phone,
  isQuick,
  print,
}: PhoneScenarioOptions): Promise<Section> {
  const count = isQuick ? 60 : 300;
  const media = await phone.startMedia();
  try {
    await widenLines(phone);
    await settle(phone, busy, count);
    const directory = await importPeople(phone.service, count);
    const warm = await importPeople(phone.service, 50);
    for (const kind of kinds) await run(phone, kind, { count: 50, directory: warm });
    const rounds: Round[] = [];
    for (const kind of isQuick ? kinds : [...kinds, ...kinds.toReversed()]) {
      print(`campaign-calls: ${count} calls of the ${kind}`);
      const use = watchUse(phone, media);
      const agent = await run(phone, kind, { count, directory });
      rounds.push({ kind, use: use(), ...(await spanOf(phone, agent)) });
    }
    return section(rounds);
  } finally {
    await media.stop();
  }
}

/** Calls everyone once, and answers the agent that did. */
async function run(
  phone: MeasuredPhone,
  kind: Kind,
  { count, directory }: { count: number; directory: Directory },
): Promise<PhoneAgent> {
  const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  if (kind === 'loop') await callInLoop(phone, agent, count);
  else {
    const id = await createCampaign(phone, agent, directory);
    await command(phone, id, 'start');
    await untilCompleted(phone, id, 400_000);
  }
  await untilAllEnded(phone, agent, 60_000);
  return agent;
}

async function spanOf(
  { service: { db } }: MeasuredPhone,
  agent: PhoneAgent,
): Promise<Pick<Round, 'calls' | 'seconds'>> {
  const found = await db
    .getRepository(calls)
    .find({ select: { createdAt: true, endedAt: true }, where: { agentId: agent.id } });
  const [first, last] = [
    Math.min(...found.map(({ createdAt }) => createdAt.getTime())),
    Math.max(...found.map(({ endedAt }) => endedAt?.getTime() ?? 0)),
  ];
  return { calls: found.length, seconds: (last - first) / 1000 };
}

function section(rounds: readonly Round[]): Section {
  const perSecond = (kind: Kind) => {
    const of = rounds.filter((each) => each.kind === kind);
    return of.reduce((sum, each) => sum + each.calls, 0) / of.reduce((sum, { seconds }) => sum + seconds, 0);
  };
  const ratio = perSecond('campaign') / perSecond('loop');
  return {
    id: 'campaign-calls',
    title: 'Calls of a campaign',
    method: [
      `Every callee is busy, so that no call has audio; ${lines} lines, ${lines} numbers, practically no pace limit, no further attempts. The *loop* has the same worker, media host and **simulated** carrier: it calls ${lines} of the same people at once, and the next one as soon as a call has ended. One of its calls is one row and one start of \`callWorkflow\`; nothing is planned, claimed, limited, suppressed or settled. The *campaign* is started through the API. Both are warmed up and alternate. The time is from the first call's row to the end of the last call.`,
    ],
    tables: [
      {
        columns: [
          'Round',
          'Calls',
          's',
          'Calls a second',
          ...parts.map((part) => `Cores of ${part}`),
          'Use of the machine',
        ],
        rows: rounds.map(({ kind, calls: count, seconds, use }) => [
          kind,
          figure(count),
          figure(seconds),
          figure(count / seconds),
          ...parts.map((part) => figure(use.parts[part].cores)),
          `${Math.round(use.machine * 100)} %`,
        ]),
      },
    ],
    targets: [
      {
        what: 'Calls a second of the campaign, relative to the loop',
        wanted: `≥ ${wantedShare * 100} %`,
        measured: `${Math.round(ratio * 100)} %`,
        isMet: ratio >= wantedShare,
      },
    ],
  };
}
