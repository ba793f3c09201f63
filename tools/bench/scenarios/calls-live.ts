import { readSamples } from '../../../test/support/metrics-text.ts';
import { atPace, pause } from '../concurrency.ts';
import { createPhoneAgent, type PhoneAgent } from '../phone/agent.ts';
import {
  callPerson,
  logFromNow,
  otherEnds,
  settle,
  timingsBetween,
  untilAllAnswered,
  untilAllEnded,
} from '../phone/calls.ts';
import { acknowledgements, greetings, interruptions, openings } from '../phone/carrier-log.ts';
import { addedSince, boundOf, bucketsIn, type Buckets } from '../phone/histogram.ts';
import {
  interrupter,
  listenerReportedLate,
  paceMs,
  talker,
  wordsBeforeInterruptions,
} from '../phone/people.ts';
import type { MeasuredMedia, MeasuredPhone } from '../phone/service.ts';
import { turnTimes, type Delays } from '../phone/turn-times.ts';
import { watchUse } from '../phone/use.ts';
import type { Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import {
  liveCallsSection,
  type Interruptions,
  type MeasuredLoad,
  type Openings,
} from './calls-live-section.ts';

interface Load {
  live: number;
  /** Questions of each person. */
  turns: number;
}

const realistic: Delays = { firstTokenMs: 350, firstAudioMs: 150 };
const none: Delays = { firstTokenMs: 0, firstAudioMs: 0 };

/** Measures the cost of live calls, their delays, and how soon the agent stops after an interruption. */
export async function measureLiveCalls({ phone, isQuick, print }: PhoneScenarioOptions): Promise<Section> {
  const media = await phone.startMedia();
  try {
    await runLoad(phone, media, { live: 1, turns: 3 }, none);
    const loads: MeasuredLoad[] = [];
    for (const delays of [realistic, none]) {
      for (const load of loadsOf(isQuick)) {
        print(`calls-live: ${load.live} live, first token after ${delays.firstTokenMs} ms`);
        loads.push(await runLoad(phone, media, load, delays));
      }
    }
    print('calls-live: interruptions');
    const interruptions = await interrupt(
      phone,
      isQuick ? { people: 2, times: 2 } : { people: 10, times: 10 },
    );
    print('calls-live: answers that are reported late');
    const opened: Openings[] = [];
    for (const lateMs of [0, 6000]) opened.push(await open(phone, { people: isQuick ? 2 : 20, lateMs }));
    return liveCallsSection({ loads, interruptions, openings: opened });
  } finally {
    await media.stop();
  }
}

function loadsOf(isQuick: boolean): Load[] {
  if (isQuick)
    return [
      { live: 1, turns: 4 },
      { live: 5, turns: 4 },
    ];
  return [{ live: 1, turns: 14 }, ...[25, 50, 100].map((live) => ({ live, turns: 7 }))];
}

/** Calls start evenly spread over the pace of a turn; measurements run while all of them are live. */
async function runLoad(
  phone: MeasuredPhone,
  media: MeasuredMedia,
  { live, turns }: Load,
  delays: Delays,
): Promise<MeasuredLoad> {
  const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  await settle(phone, talker(turns), live);
  await phone.delayProviders(delays);
  const log = await logFromNow(phone);
  await atPace({ count: live, everyMs: paceMs / live }, (index) => callPerson(phone, agent, index));
  await untilAllAnswered(phone, agent, { log, count: live });
  await pause(4000);

  const [late, use, fromMs] = [await lateness(media), watchUse(phone, media), Date.now()];
  await pause((turns - 2) * paceMs);
  const used = use();
  const window = { fromMs, toMs: Date.now() };
  const lateBuckets = addedSince(late.buckets, (await lateness(media)).buckets);
  const gaps = (await lateness(media)).gaps - late.gaps;
  await untilAllEnded(phone, agent, 120_000);
  const entries = await log();
  return {
    live,
    delays,
    use: used,
    turns: (await timingsBetween(phone, agent, window.fromMs, window.toMs)).flatMap(
      (each) => turnTimes(each, delays) ?? [],
    ),
    greetingsMs: greetings(entries),
    acknowledgements: acknowledgements(entries),
    tickLateMs: { p99: boundOf(lateBuckets, 0.99) * 1000, max: boundOf(lateBuckets, 1) * 1000 },
    gaps,
    seconds: (window.toMs - window.fromMs) / 1000,
    otherEnds: await otherEnds(phone, agent),
  };
}

async function lateness({ metricsUrl }: MeasuredMedia): Promise<{ buckets: Buckets; gaps: number }> {
  const samples = readSamples(
    await (await fetch(metricsUrl, { signal: AbortSignal.timeout(10_000) })).text(),
  );
  const gaps = samples
    .filter(({ name }) => name === 'parlance_media_frames_late_total')
    .reduce((sum, { value }) => sum + value, 0);
  return { buckets: bucketsIn(samples, 'parlance_media_tick_late_seconds'), gaps };
}

async function interrupt(
  phone: MeasuredPhone,
  { people, times }: { people: number; times: number },
): Promise<Interruptions> {
  const agent: PhoneAgent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  await settle(phone, interrupter(times), people);
  await phone.delayProviders(realistic);
  const log = await logFromNow(phone);
  await atPace({ count: people, everyMs: paceMs / people }, (index) => callPerson(phone, agent, index));
  await untilAllEnded(phone, agent, 60_000 + times * 15_000);
  return { people, ...interruptions(await log(), { after: wordsBeforeInterruptions }) };
}

/** One call after the other. */
async function open(
  phone: MeasuredPhone,
  { people, lateMs }: { people: number; lateMs: number },
): Promise<Openings> {
  const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  await settle(phone, listenerReportedLate(lateMs), people);
  await phone.delayProviders(realistic);
  const log = await logFromNow(phone);
  await atPace({ count: people, everyMs: paceMs }, (index) => callPerson(phone, agent, index));
  await untilAllEnded(phone, agent, 60_000);
  return { lateMs, people, ms: openings(await log()) };
}
