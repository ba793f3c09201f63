import { randomOf } from '../../../emulators/carrier/random.ts';
import type { LogEntry } from '../../../test/support/phone-service.ts';
import { atPace, inLanes, pause } from '../lanes.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { momentsOf } from '../phone/call-moments.ts';
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

/** Calls at the host that is killed. */
const live = 3;
/** Hosts that the same calls lose one after the other. */
const killsOfACall = 10;
/**
 * Questions of a person who loses so many hosts: a kill takes about one and a half turns, and nobody should
 * be done before the last one.
 */
const questionsFor = (kills: number) => Math.ceil(kills * 1.5) + 3;
/** How long after a socket broke the simulated carrier tells of it, where it does. */
const stoppedAfterMs = 50;
const seed = 'kill-to-speech';

interface Round {
  losses: Losses;
  count: number;
  random: () => number;
}

/**
 * How long people hear nothing when the media host of their call is killed at any moment, and of what that is
 * made.
 */
export async function measureLosses({ phone, isQuick, tell }: PhoneScenarioOptions): Promise<Section> {
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
        tell(
          `calls-lost: ${losses.kills} of ${kills} hosts killed${tells ? '' : ', of which the carrier does not tell'}`,
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

/** The same calls go from host to host. Answers the last one, which lives. */
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
 * Waits until everybody hears something again. Who hangs up before was done with the conversation, and is not
 * counted.
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

/**
 * By what the carrier and the calls' Workflows have on record; read when the calls are over, so that it
 * disturbs nothing.
 */
async function splitAll(
  { service: { temporal } }: MeasuredPhone,
  losses: readonly Loss[],
  entries: readonly LogEntry[],
): Promise<SplitSilence[]> {
  const calls = callsOfLegs(entries);
  const split: SplitSilence[] = [];
  const legIds = [...new Set(losses.map(({ legId }) => legId))];
  await inLanes({ count: legIds.length, width: 2 }, async (index) => {
    const callUuid = calls.get(legIds[index] ?? '');
    const moments = callUuid === undefined ? [] : await momentsOf(temporal, callUuid);
    split.push(
      ...losses
        .filter(({ legId }) => legId === legIds[index])
        .flatMap((loss) => splitSilence(loss, entries, moments) ?? []),
    );
  });
  return split;
}
