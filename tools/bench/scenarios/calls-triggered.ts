import { atPace } from '../concurrency.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { callPerson, logFromNow, otherEnds, settle, untilAllEnded } from '../phone/calls.ts';
import { acknowledgements } from '../phone/carrier-log.ts';
import { busy } from '../phone/people.ts';
import { watchUse, parts, type Use } from '../phone/use.ts';
import { figure, quantiles, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { quantile } from '../statistics.ts';

const perSecond = 50;
const people = 200;
const carrierMs = 10;
const wantedMs = 150;

interface Triggered {
  seconds: number;
  acceptedMs: number[];
  /** The beginnings of all refusals. */
  refused: string[];
  drainMs: number;
  acknowledgements: { ms: number[]; refused: number };
  use: Use;
  otherEnds: Record<string, number>;
}

/**
 * Measures how soon a trigger is accepted under load: the call is stored, its Workflow has a seat, and the
 * carrier has accepted the dial.
 */
export async function measureTriggers({ phone, isQuick, print }: PhoneScenarioOptions): Promise<Section> {
  const seconds = isQuick ? 3 : 20;
  const media = await phone.startMedia();
  try {
    await phone.carrier.control('/emulator/pace', { answerAfterMs: carrierMs });
    await settle(phone, busy, people);
    const warm = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
    await atPace({ count: 10, everyMs: 100 }, (index) => callPerson(phone, warm, index));
    await untilAllEnded(phone, warm, 60_000);

    const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
    const log = await logFromNow(phone);
    const use = watchUse(phone, media);
    print(`calls-triggered: ${perSecond} a second for ${seconds} s`);
    const refused: string[] = [];
    const accepted = await atPace(
      { count: perSecond * seconds, everyMs: 1000 / perSecond },
      async (index) => {
        try {
          return (await callPerson(phone, agent, index % people)).wallMs;
        } catch (error) {
          refused.push(String(error).slice(0, 120));
          return null;
        }
      },
    );
    const used = use();
    const begun = performance.now();
    await untilAllEnded(phone, agent, 600_000);
    return section({
      seconds,
      acceptedMs: accepted.filter((ms) => ms !== null),
      refused,
      drainMs: performance.now() - begun,
      acknowledgements: acknowledgements(await log()),
      use: used,
      otherEnds: await otherEnds(phone, agent),
    });
  } finally {
    await phone.carrier.control('/emulator/pace', { answerAfterMs: 0 });
    await media.stop();
  }
}

function section({
  seconds,
  acceptedMs,
  refused,
  drainMs,
  acknowledgements: { ms, refused: unacknowledged },
  use,
  otherEnds,
}: Triggered): Section {
  const ends =
    Object.entries(otherEnds)
      .map(([disposition, calls]) => `${calls} ${disposition}`)
      .join(', ') || 'none';
  return {
    id: 'calls-triggered',
    title: 'Triggers of calls',
    method: [
      `${perSecond} triggers a second for ${seconds} s at even intervals, without waiting for answers; the **simulated** carrier takes ${carrierMs} ms for each command, and every callee is busy. A trigger is answered when the call is stored, its Workflow is running, a media host has a seat for it, and the carrier has accepted the dial. *Drained*: from the last answer until every call has ended.`,
    ],
    tables: [
      {
        columns: [
          'Triggers',
          'Accepted',
          'Accepted after p50 / p95 / p99, ms',
          'Drained after, s',
          "Carrier's webhook acknowledged p50 / p99, ms",
          'Not acknowledged',
          'Ends',
        ],
        rows: [
          [
            figure(perSecond * seconds),
            figure(acceptedMs.length),
            quantiles(acceptedMs, 0.5, 0.95, 0.99),
            figure(drainMs / 1000),
            quantiles(ms, 0.5, 0.99),
            String(unacknowledged),
            ends,
          ],
        ],
      },
      {
        columns: ['Used cores', ...parts, 'Use of the machine'],
        rows: [
          ['', ...parts.map((part) => figure(use.parts[part].cores)), `${Math.round(use.machine * 100)} %`],
        ],
      },
      ...(refused.length === 0
        ? []
        : [
            {
              columns: ['Refusals'],
              rows: [...new Set(refused)].slice(0, 3).map((each) => [each]),
            },
          ]),
    ],
    targets:
      acceptedMs.length === 0
        ? []
        : [
            {
              what: 'Trigger accepted, p99',
              wanted: `≤ ${wantedMs} ms`,
              measured: `${figure(quantile(acceptedMs, 0.99))} ms`,
              isMet: refused.length === 0 && quantile(acceptedMs, 0.99) <= wantedMs,
            },
          ],
  };
}
