import { atPace, pause } from '../lanes.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { callPerson, logFromNow, otherEnds, settle, untilAllAnswered, untilAllEnded } from '../phone/calls.ts';
import { answeredLegs, endedLegs, silencesAfter } from '../phone/carrier-log.ts';
import { talker } from '../phone/people.ts';
import type { MeasuredMedia, MeasuredPhone } from '../phone/service.ts';
import { figure, quantiles, type Section } from '../report.ts';
import { randomOf } from '../../../emulators/carrier/random.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { quantile } from '../statistics.ts';

/** Calls at the host that is killed. */
const live = 3;
/** Hosts that the same calls lose one after the other. */
const killsOfACall = 5;
const giveUpMs = 15_000;
const seed = 'kill-to-speech';

interface Losses {
  kills: number;
  silencesMs: number[];
  /** Calls that were cut off, or stayed silent for `giveUpMs`. */
  lost: number;
  otherEnds: Record<string, number>;
}

/** How long people hear nothing when the media host of their call is killed at any moment. */
export async function measureLosses({ phone, isQuick, tell }: PhoneScenarioOptions): Promise<Section> {
  const kills = isQuick ? 2 : 50;
  const random = randomOf(seed);
  const losses: Losses = { kills: 0, silencesMs: [], lost: 0, otherEnds: {} };
  await phone.delayProviders({ firstTokenMs: 350, firstAudioMs: 150 });
  let host = await phone.startMedia();
  try {
    while (losses.kills < kills) {
      tell(`calls-lost: ${losses.kills} of ${kills} hosts killed`);
      host = await loseHosts(phone, host, { losses, count: Math.min(killsOfACall, kills - losses.kills), random });
    }
  } finally {
    await host.stop();
  }
  return section(losses);
}

/** The same calls go from host to host. Answers the last one, which lives. */
async function loseHosts(phone: MeasuredPhone, first: MeasuredMedia, { losses, count, random }: { losses: Losses; count: number; random: () => number }): Promise<MeasuredMedia> {
  const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  await settle(phone, talker(count * 2 + 2), live);
  const log = await logFromNow(phone);
  await atPace({ count: live, everyMs: 700 }, (index) => callPerson(phone, agent, index));
  await untilAllAnswered(phone, agent, { log, count: live });
  let host = first;
  for (let kill = 0; kill < count; kill += 1) {
    const next = await phone.startMedia();
    await pause(2000 + random() * 5000);
    const entries = await log();
    const legs = answeredLegs(entries).filter((legId) => !endedLegs(entries).has(legId));
    const atMs = Date.now();
    host.kill();
    host = next;
    losses.kills += 1;
    const silences = await silencesOf(log, atMs, legs);
    losses.silencesMs.push(...silences.filter((ms) => ms !== null));
    losses.lost += silences.filter((ms) => ms === null).length;
  }
  await untilAllEnded(phone, agent, 180_000);
  for (const [disposition, calls] of Object.entries(await otherEnds(phone, agent))) losses.otherEnds[disposition] = (losses.otherEnds[disposition] ?? 0) + calls;
  return host;
}

/** Waits until everybody hears something again. */
async function silencesOf(log: Awaited<ReturnType<typeof logFromNow>>, atMs: number, legs: readonly string[]): Promise<(number | null)[]> {
  for (;;) {
    const silences = [...silencesAfter(await log(), atMs, legs).values()];
    if (!silences.includes(null) || Date.now() - atMs > giveUpMs) return silences;
    await pause(50);
  }
}

function section({ kills, silencesMs, lost, otherEnds }: Losses): Section {
  const ends = Object.entries(otherEnds).map(([disposition, calls]) => `${calls} ${disposition}`).join(', ') || 'none';
  return {
    id: 'calls-lost',
    title: 'A media host dies under its calls',
    method: [
      `The host of ${live} live calls is killed (\`kill -9\`) at a random moment of their conversation (seed \`${seed}\`), while another one is ready; the same calls lose up to ${killsOfACall} hosts. *Silence* is from the kill to the agent's next sound at the person's ear, by the simulated carrier's log, whoever was speaking at the kill: what was on its way already does not count as the agent speaking again.`,
    ],
    tables: [{ columns: ['Hosts killed', 'Calls that went on', 'Silence p50 / p95 / max, ms', `Silent for ${giveUpMs / 1000} s, or cut off`, 'Calls that ended otherwise'], rows: [[String(kills), String(silencesMs.length), quantiles(silencesMs, 0.5, 0.95, 1), String(lost), ends]] }],
    targets: silencesMs.length === 0 ? [] : [{ what: 'Kill to speech, p95', wanted: '≤ 3,000 ms', measured: `${figure(quantile(silencesMs, 0.95))} ms`, isMet: quantile(silencesMs, 0.95) <= 3000 && lost === 0 }],
  };
}
