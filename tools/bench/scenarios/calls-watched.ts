import { In } from 'typeorm';
import { calls } from '../../../src/db/tables/calls.ts';
import { openEvents, type EventClient } from '../../../test/support/event-stream.ts';
import { atPace, pause } from '../concurrency.ts';
import { createPhoneAgent, type PhoneAgent } from '../phone/agent.ts';
import { callPerson, logFromNow, settle, untilAllAnswered, untilAllEnded } from '../phone/calls.ts';
import { paceMs, talker } from '../phone/people.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import { watchUse } from '../phone/use.ts';
import { figure, quantiles, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { statementsOf } from '../statements.ts';
import { quantile } from '../statistics.ts';

/** A key may have as many streams. */
const watchers = 5;

interface Window {
  apiCores: number;
  statementsPerS: number;
}

interface Heard {
  /** From the first frame of a clause to its event at a watcher. */
  lateMs: number[];
  events: number;
}

/** Measures what people who follow live calls cost, and how late the words are for them. */
export async function measureWatchers({ phone, isQuick, print }: PhoneScenarioOptions): Promise<Section> {
  const live = isQuick ? 5 : 50;
  const windowMs = isQuick ? 5000 : 20_000;
  const media = await phone.startMedia();
  try {
    const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
    await settle(phone, talker(Math.ceil((3 * windowMs) / paceMs) + 3), live);
    await phone.delayProviders({ firstTokenMs: 350, firstAudioMs: 150 });
    const log = await logFromNow(phone);
    await atPace({ count: live, everyMs: paceMs / live }, (index) => callPerson(phone, agent, index));
    await untilAllAnswered(phone, agent, { log, count: live });
    await pause(4000);

    const measure = async (): Promise<Window> => {
      const [use, before] = [watchUse(phone, media), await statementsOf(phone.service)];
      await pause(windowMs);
      const statementsPerS = ((await statementsOf(phone.service)) - before) / (windowMs / 1000);
      return { apiCores: use().parts.api.cores, statementsPerS };
    };
    print(`calls-watched: ${live} live, nobody watches`);
    const [before, heard] = [await measure(), { lateMs: [], events: 0 } satisfies Heard];
    print(`calls-watched: ${live} live, ${watchers} watchers`);
    const streams = await watch(phone, agent, heard);
    await pause(1000);
    const watched = await measure();
    for (const { close } of streams) close();
    print(`calls-watched: ${live} live, nobody watches`);
    await pause(1000);
    const after = await measure();
    await untilAllEnded(phone, agent, 120_000);
    return section({ live, windows: [before, watched, after], heard });
  } finally {
    await media.stop();
  }
}

/** Follows all live calls, with as many streams as a key may have. */
async function watch({ service: { api, db } }: MeasuredPhone, agent: PhoneAgent, heard: Heard) {
  const all = await db.getRepository(calls).find({
    select: { id: true },
    where: { agentId: agent.id, state: In(['talking']) },
  });
  const topics = ['org', ...all.map(({ id }) => `call:${id}`)].join(',');
  const streams = await Promise.all(
    Array.from({ length: watchers }, () => openEvents(api.url, topics, { 'x-api-key': api.key })),
  );
  for (const stream of streams) listen(stream, heard).catch(() => undefined); // it was closed
  return streams;
}

async function listen({ next }: EventClient, heard: Heard): Promise<void> {
  const known = new Set<string>();
  const begunMs = Date.now();
  for (let event = await next(); event !== null; event = await next()) {
    heard.events += 1;
    for (const moment of momentsIn(event.data)) {
      if (!known.has(moment) && Date.parse(moment) > begunMs)
        heard.lateMs.push(Date.now() - Date.parse(moment));
      known.add(moment);
    }
  }
}

/** When the clauses that are being said began. */
function momentsIn(data: unknown): string[] {
  const running = typeof data === 'object' && data !== null && 'running' in data ? data.running : [];
  return (Array.isArray(running) ? running : []).flatMap((event: unknown) =>
    typeof event === 'object' &&
    event !== null &&
    'type' in event &&
    event.type === 'rtf-bot-text' &&
    'timestamp' in event &&
    typeof event.timestamp === 'string'
      ? [event.timestamp]
      : [],
  );
}

function section({
  live,
  windows: [before, watched, after],
  heard: { lateMs, events },
}: {
  live: number;
  windows: readonly [Window, Window, Window];
  heard: Heard;
}): Section {
  const added = (of: (window: Window) => number) => of(watched) - (of(before) + of(after)) / 2;
  const [cores, statements] = [added((each) => each.apiCores), added((each) => each.statementsPerS)];
  const p95 = lateMs.length === 0 ? Number.NaN : quantile(lateMs, 0.95);
  return {
    id: 'calls-watched',
    title: 'Watched calls',
    method: [
      `${live} live calls with the **simulated** carrier, voices and recognition, a turn of about 8 s each. ${watchers} streams (\`GET /events\`) follow each of them, and all of the organization's. The API's use and MySQL's statements are those of the time with watchers, less the mean of the times before and after. *Late*: from the first frame of a clause of the agent to its event at a watcher.`,
    ],
    tables: [
      {
        columns: [
          'Live calls',
          'Watchers',
          'Events',
          'API, cores: before / watched / after',
          'Statements a second: before / watched / after',
          'Words late p50 / p95, ms',
        ],
        rows: [
          [
            figure(live),
            figure(watchers),
            figure(events),
            [before, watched, after].map(({ apiCores }) => figure(apiCores)).join(' / '),
            [before, watched, after].map(({ statementsPerS }) => figure(statementsPerS)).join(' / '),
            lateMs.length === 0 ? '–' : quantiles(lateMs, 0.5, 0.95),
          ],
        ],
      },
    ],
    targets: [
      {
        what: 'Watchers, added to the API',
        wanted: '< 0.05 cores',
        measured: `${figure(cores)} cores`,
        isMet: cores < 0.05,
      },
      {
        what: 'Watchers, added statements a second',
        wanted: '< 5',
        measured: figure(statements),
        isMet: statements < 5,
      },
      {
        what: 'Words at a watcher, p95',
        wanted: '≤ 1,000 ms',
        measured: `${figure(p95)} ms`,
        isMet: p95 <= 1000,
      },
    ],
  };
}
