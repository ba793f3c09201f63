import type { LogEntry } from '../phone-service.ts';
import { fillers, type PhoneCase } from './phone-desk.ts';
import type { Killed } from './phone-fleet.ts';
import { judgeHearing, silencesOf, type HeardWord, type Silence, type Violation } from './phone-judge.ts';
import type { SeenCall } from './phone-watch.ts';

/** The faults of one call according to the carrier's log, and its silences. */
export interface Verdict {
  name: string;
  violations: Violation[];
  /** All heard text, for the analysis of a violation. */
  transcript: string;
  silences: Silence[];
  losses: number;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A stream that broke this soon after a kill broke because of it. */
const sameLossMs = 3000;

/**
 * `killed`: the hosts that died. Streams that broke because a host gave up are losses as well, unless every
 * host got a stop signal.
 */
export function verdictOf(
  each: PhoneCase,
  call: SeenCall,
  entries: readonly LogEntry[],
  killed: readonly Killed[],
): Verdict {
  const own = entries.filter(({ legId }) => legId === call.legId);
  const heard = own.filter(({ type }) => type === 'heard');
  const words = heard.flatMap((entry) => wordsIn(entry));
  const kills = killed
    .filter(
      ({ role, port, at }) =>
        role === 'media' &&
        call.streams.some((stream) => stream.port === port && stream.from <= at && stream.until >= at - 50),
    )
    .map(({ at }) => at);
  const broken =
    killed.length === 0
      ? []
      : own
          .filter(
            (entry) =>
              entry.type === 'stream' &&
              entry['what'] === 'lost' &&
              !kills.some((at) => entry.at >= at && entry.at - at < sameLossMs),
          )
          .map(({ at }) => at);
  const lostAt = [...kills, ...broken];
  const spans = heard.map((entry) => ({
    beganAt: Number(entry['beganAt']),
    endedAt: Number(entry['endedAt']),
  }));
  const saying = own
    .filter(({ type }) => type === 'said')
    .map((entry) => ({ from: entry.at, until: entry.at + Number(entry['ms']) }));
  const answeredAt = call.answeredAt ?? Number.POSITIVE_INFINITY;
  return {
    name: each.name,
    violations: judgeHearing({
      words,
      clauses: each.clauses,
      fillers: Object.values(fillers).flat(),
      lostAt,
      unservedAt: killed.filter(({ role }) => role === 'worker').map(({ at }) => at),
      saying,
    }),
    transcript: `${timeline(own)}${lostAt.map((at) => ` | lost ${at - answeredAt}`).join('')}`,
    silences: silencesOf({
      lostAt: lostAt.filter((at) => at > answeredAt),
      spans,
      saidUntil: saying.map(({ until }) => until),
      endedAt: call.endedAt ?? Number.POSITIVE_INFINITY,
    }),
    losses: lostAt.length,
  };

  function timeline(log: readonly LogEntry[]): string {
    return log
      .filter(({ type }) => ['heard', 'said', 'stream'].includes(type))
      .map((entry) =>
        entry.type === 'stream'
          ? `[${text(entry['what'])} ${entry.at - answeredAt}]`
          : `${entry.type === 'said' ? '>' : '<'}${Number(entry['beganAt'] ?? entry.at) - answeredAt} ${text(entry['text'])}`,
      )
      .join(' | ');
  }
}

function wordsIn(entry: LogEntry): HeardWord[] {
  const { words } = entry;
  return Array.isArray(words)
    ? words.map((word: HeardWord) => ({ text: word.text, endedAt: word.endedAt }))
    : [];
}
