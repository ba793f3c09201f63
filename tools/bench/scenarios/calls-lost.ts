import { randomOf } from '../../../emulators/carrier/random.ts';
import type { LogEntry } from '../../../test/support/phone-service.ts';
import { atPace, concurrently, pause } from '../concurrency.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { callEventsOf } from '../phone/call-events.ts';
import {
  callPerson,
  logFromNow,
  otherEnds,
  settle,
  untilAllAnswered,
  untilAllEnded,
} from '../phone/calls.ts';
import { answeredLegs, endedLegs, hungUpLegs, silencesAfter } from '../phone/carrier-log.ts';
import { callsOfLegs, splitSilence, type Loss, type SplitSilence } from '../phone/loss-parts.ts';
import { talker } from '../phone/people.ts';
import type { MeasuredMedia, MeasuredPhone } from '../phone/service.ts';
import type { Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { giveUpMs, lostSection, type Losses } from './calls-lost-section.ts';

/** Calls at the killed host. */
const live = 3;
/** Hosts that the same calls lose, one after the other. */
const killsOfACall = 10;
/**
 * Questions of a person who loses several hosts: a kill takes about one and a half turns, and no conversation
 * should end before the last one.
 */
const questionsFor = (kills: number) => Math.ceil(kills * 1.5) + 3;
/** Delay of the simulated carrier's event for a broken socket, if it sends one. */
const stoppedAfterMs = 50;
const seed = 'kill-to-speech';

interface Round {
  losses: Losses;
  count: number;
  random: () => number;
}

/**
 * Measures how long callees hear nothing after their media host was killed at a random time, and the parts of
 * that silence.
 */
export async function measureLosses({ phone, isQuick, print }: PhoneScenarioOptions): Promise<Section> {
  const random = randomOf(seed);
  await phone.delayProviders({ firstTokenMs: 350, firstAudioMs: 150 });
  const measured: Losses[] = [];
  let host = await phone.startMedia();
  try {
    for (const [tells, kills] of isQuick
      ? ([
          [true, 2],
          [false, 1],
        ] as const)
      : ([
          [true, 50],
          [false, 5],
        ] as const)) {
      const losses: Losses = {
        carrierTells: tells,
        kills: 0,
        silencesMs: [],
        split: [],
        lost: 0,
        otherEnds: {},
      };
      measured.push(losses);
      await phone.carrier.control('/emulator/assumptions', { stoppedAfterMs: tells ? stoppedAfterMs : null });
      while (losses.kills < kills) {
        print(
          `calls-lost: ${losses.kills} of ${kills} hosts killed${tells ? '' : ', without an event from the carrier'}`,
        );
        host = await loseHosts(phone, host, {
          losses,
          count: Math.min(killsOfACall, kills - losses.kills),
          random,
        });
      }
    }
  } finally {
    await phone.carrier.control('/emulator/assumptions', { stoppedAfterMs });
    await host.stop();
  }
  return lostSection(measured, { live, killsOfACall, seed });
}

/** The same calls move from host to host. Answers the last one, which stays alive. */
async function loseHosts(
  phone: MeasuredPhone,
  first: MeasuredMedia,
  { losses, count, random }: Round,
): Promise<MeasuredMedia> {
  const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  await settle(phone, talker(questionsFor(count)), live);
  const log = await logFromNow(phone);
  await atPace({ count: live, everyMs: 700 }, (index) => callPerson(phone, agent, index));
  await untilAllAnswered(phone, agent, { log, count: live });
  const heardAgain: Loss[] = [];
  let host = first;
  for (let kill = 0; kill < count; kill += 1) {
    const next = await phone.startMedia();
    await pause(2000 + random() * 5000);
    const entries = await log();
    const legs = answeredLegs(entries).filter((legId) => !endedLegs(entries).has(legId));
    const killedAt = Date.now();
    host.kill();
    host = next;
    losses.kills += 1;
    for (const [legId, ms] of await silencesOf(log, killedAt, legs)) {
      if (ms === null) losses.lost += 1;
      else heardAgain.push({ legId, killedAt, heardAgainAt: killedAt + ms });
    }
  }
  await untilAllEnded(phone, agent, 180_000);
  losses.silencesMs.push(...heardAgain.map(({ killedAt, heardAgainAt }) => heardAgainAt - killedAt));
  losses.split.push(...(await splitAll(phone, heardAgain, await log())));
  for (const [disposition, calls] of Object.entries(await otherEnds(phone, agent)))
    losses.otherEnds[disposition] = (losses.otherEnds[disposition] ?? 0) + calls;
  return host;
}

/**
 * Waits until everyone hears something again. A callee who hangs up before that had finished the conversation
 * and is not counted.
 */
async function silencesOf(
  log: Awaited<ReturnType<typeof logFromNow>>,
  atMs: number,
  legs: readonly string[],
): Promise<Map<string, number | null>> {
  for (;;) {
    const entries = await log();
    const done = hungUpLegs(entries);
    const silences = new Map(
      [...silencesAfter(entries, atMs, legs)].filter(([legId, ms]) => ms !== null || !done.has(legId)),
    );
    if (![...silences.values()].includes(null) || Date.now() - atMs > giveUpMs) return silences;
    await pause(50);
  }
}

/** From the records of the carrier and of the calls' Workflows; read after the calls, to disturb nothing. */
async function splitAll(
  { service: { temporal } }: MeasuredPhone,
  losses: readonly Loss[],
  entries: readonly LogEntry[],
): Promise<SplitSilence[]> {
  const calls = callsOfLegs(entries);
  const split: SplitSilence[] = [];
  const legIds = [...new Set(losses.map(({ legId }) => legId))];
  await concurrently({ count: legIds.length, width: 2 }, async (index) => {
    const callUuid = calls.get(legIds[index] ?? '');
    const callEvents = callUuid === undefined ? [] : await callEventsOf(temporal, callUuid);
    split.push(
      ...losses
        .filter(({ legId }) => legId === legIds[index])
        .flatMap((loss) => splitSilence(loss, entries, callEvents) ?? []),
    );
  });
  return split;
}
