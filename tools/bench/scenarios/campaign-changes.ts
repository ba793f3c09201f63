import {
  change,
  closedNow,
  command,
  createCampaign,
  dialsIn,
  everyDay,
  legsFromNow,
  lines,
  untilCompleted,
  widenLines,
  type Directory,
} from '../campaigns/campaigns.ts';
import { importPeople } from '../campaigns/files.ts';
import type { TimedRequest } from '../conversations.ts';
import { pause } from '../concurrency.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { settle, untilAllEnded } from '../phone/calls.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import { figure, quantiles, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { quantile } from '../statistics.ts';
import { until } from '../../../test/support/until.ts';
import type { LogEntry } from '../../../test/support/phone-service.ts';
import type { PersonaInput } from '../../../emulators/carrier/persona.ts';

const wantedMs = 5000;
/** After this time without a dial, the last dial was the last one. */
const quietMs = 4000;
/** Lines of a campaign after the cut. */
const fewLines = 5;

/** Rings for some time, so that many lines are in use at once. */
const slowlyBusy: PersonaInput = { name: 'slowly busy', steps: [{ do: 'ring', ms: 3000 }, { do: 'busy' }] };

const openNow = { schedule_config: { enabled: true, timezone: 'UTC', slots: everyDay('00:00', '24:00') } };

/**
 * The time from the API's answer to each change until the last dial that it forbids, or the first one that it
 * allows. Milliseconds.
 */
type Times = Map<string, number[]>;

interface Cycle {
  phone: MeasuredPhone;
  id: number;
  log: () => Promise<LogEntry[]>;
  note: (what: string, ms: number) => void;
}

/** Measures how soon a campaign under load obeys changes. */
export async function measureCampaignChanges({
  phone,
  isQuick,
  print,
}: PhoneScenarioOptions): Promise<Section> {
  const [cycles, people] = isQuick ? [1, 600] : [4, 1200];
  const media = await phone.startMedia();
  try {
    await widenLines(phone);
    await settle(phone, slowlyBusy, people);
    const directory = await importPeople(phone.service, people);
    const times: Times = new Map();
    const loads: number[] = [];
    for (let index = 0; index < cycles; index += 1) {
      print(`campaign-changes: campaign ${index + 1} of ${cycles}`);
      loads.push(await cycle(phone, directory, { times, mode: index % 2 === 0 ? 'finish' : 'hang_up' }));
    }
    return section(times, { cycles, loads });
  } finally {
    await media.stop();
  }
}

/** One campaign with every change. Answers its dials a second before the first change. */
async function cycle(
  phone: MeasuredPhone,
  directory: Directory,
  { times, mode }: { times: Times; mode: 'finish' | 'hang_up' },
): Promise<number> {
  const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  const id = await createCampaign(phone, agent, directory);
  const log = await legsFromNow(phone);
  const given: Cycle = {
    phone,
    id,
    log,
    note: (what, ms) => void times.set(what, [...(times.get(what) ?? []), ms]),
  };
  await begins(given, 'start', () => command(phone, id, 'start'));
  await underLoad(log);
  const begun = dialsIn(await log());
  const perSecond = (begun.length - 1) / (((begun.at(-1) ?? 0) - (begun[0] ?? 0)) / 1000);
  await ends(given, 'pause', () => command(phone, id, 'pause'));
  await begins(given, 'resume', () => command(phone, id, 'resume'));
  await underLoad(log);
  await ends(
    given,
    `fewer lines (${lines} → ${fewLines})`,
    () => change(phone, id, { max_concurrency: fewLines }),
    fewLines,
  );
  await begins(
    given,
    `more lines (${fewLines} → ${lines})`,
    () => change(phone, id, { max_concurrency: lines }),
    fewLines,
  );
  await underLoad(log);
  await ends(given, 'hours set to closed', () => change(phone, id, closedNow()));
  await begins(given, 'hours set to open', () => change(phone, id, openNow));
  await underLoad(log);
  await ends(given, `stop (${mode})`, () => command(phone, id, 'stop', { mode }));
  await untilCompleted(phone, id, 120_000);
  await untilAllEnded(phone, agent, 60_000);
  return perSecond;
}

/** Waits for a second with several dials and more legs than the cut allows. */
async function underLoad(log: Cycle['log']): Promise<void> {
  await until(
    'dials under load',
    async () => {
      const entries = await log();
      return (
        liveOf(entries) > 2 * fewLines && dialsIn(entries).filter((at) => at > Date.now() - 1000).length >= 3
      );
    },
    60_000,
  );
  await pause(2000);
}

/** From the answer to the last dial with this many concurrent legs; 0 when there was none after it. */
async function ends(
  { log, note }: Cycle,
  what: string,
  act: () => Promise<TimedRequest>,
  beside = 0,
): Promise<void> {
  await act();
  const answeredAt = Date.now();
  await until(
    `the last dial after: ${what}`,
    async () => Date.now() - Math.max(answeredAt, dialsBeside(await log(), beside).at(-1) ?? 0) > quietMs,
    60_000,
  );
  note(what, Math.max(0, (dialsBeside(await log(), beside).at(-1) ?? 0) - answeredAt));
}

/** From the answer to the first dial with this many concurrent legs; 0 when it came before the answer. */
async function begins(
  { log, note }: Cycle,
  what: string,
  act: () => Promise<TimedRequest>,
  beside = 0,
): Promise<void> {
  const { sentAt } = await act();
  const answeredAt = Date.now();
  const first = await until(
    `the first dial after: ${what}`,
    async () => dialsBeside(await log(), beside).find((at) => at > sentAt),
    60_000,
  );
  note(what, Math.max(0, first - answeredAt));
}

function dialsBeside(entries: readonly LogEntry[], beside: number): number[] {
  const live = new Set<string>();
  return entries.flatMap(({ type, state, legId, at }) => {
    if (type !== 'leg' || legId === undefined) return [];
    const isDial = state === 'ringing' && live.size >= beside;
    if (state === 'ringing') live.add(legId);
    if (state === 'ended') live.delete(legId);
    return isDial ? [at] : [];
  });
}

function liveOf(entries: readonly LogEntry[]): number {
  const of = (wanted: string) =>
    entries.filter(({ type, state }) => type === 'leg' && state === wanted).length;
  return of('ringing') - of('ended');
}

function section(times: Times, { cycles, loads }: { cycles: number; loads: readonly number[] }): Section {
  const all = [...times].filter(([what]) => what !== 'start').flatMap(([, ms]) => ms);
  return {
    id: 'campaign-changes',
    title: 'Pause, resume, stop and changes of a campaign under load',
    method: [
      `${cycles} campaigns, one after the other, each with ${lines} lines, dials as many as the machine can make (${quantiles(loads, 0, 1)} a second, minimum and maximum, at the beginning); the callees ring for 3 s and are busy. Each change is made under this load. The time is from the API's answer to the last dial that the **simulated** carrier gets although it was to be the last (pause, stop, closed hours; of fewer lines: a dial beside ${fewLines} others), or to the first dial that may be again. 0 = it came before the answer.`,
    ],
    tables: [
      {
        columns: ['Change', 'Times', 'p50, ms', 'Longest, ms'],
        rows: [...times].map(([what, ms]) => [
          what,
          String(ms.length),
          figure(Math.round(quantile(ms, 0.5))),
          figure(Math.round(quantile(ms, 1))),
        ]),
      },
    ],
    targets: [
      {
        what: 'Pause, resume, stop and changes under load, maximum',
        wanted: `≤ ${wantedMs} ms`,
        measured: `${figure(Math.round(quantile(all, 1)))} ms`,
        isMet: quantile(all, 1) <= wantedMs,
      },
    ],
  };
}
