import { pause } from './caller.ts';
import type { LogEntry, SimulatedCarrier } from '../phone-service.ts';

/** Moments of a call at which a process is killed, as observed on the leg and by the customer's server. */
export const moments = [
  'ringing',
  'answered',
  'first clause',
  'mid-clause',
  'between turns',
  'caller speaks',
  'caller stopped',
  'tool',
  'transfer',
  'goodbye',
  'hung up',
] as const;
export type Moment = (typeof moments)[number];

/** One call in the carrier's log. */
export interface SeenCall {
  number: string;
  legId: string;
  /** The targets of its media socket, newest last, with the times of the log. */
  streams: { port: number; from: number; until: number }[];
  answeredAt: number | null;
  endedAt: number | null;
  lastSaid: string;
  hasBegunReply: boolean;
  replies: number;
}

export interface PhoneWatch {
  calls: ReadonlyMap<string, SeenCall>;
  /** Every entry so far. */
  entries: readonly LogEntry[];
  /** How often each number has rung. */
  rung: ReadonlyMap<string, number>;
  /** Reports a moment that only the caller of this function can observe. */
  note(moment: Moment, number: string): void;
  stop(): Promise<void>;
}

const perCharacterMs = 60;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Follows the carrier's log from now on, and reports each moment when it occurs (the log is about 30 ms
 * late).
 */
export async function watchPhones(
  carrier: SimulatedCarrier,
  { deskNumber, onMoment }: { deskNumber: string; onMoment: (moment: Moment, call: SeenCall) => void },
): Promise<PhoneWatch> {
  const begunAfter = (await carrier.log()).at(-1)?.n ?? 0;
  const calls = new Map<string, SeenCall>();
  const byLeg = new Map<string, SeenCall>();
  const entries: LogEntry[] = [];
  const rung = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const state = { isOver: false };

  function report(moment: Moment, call: SeenCall, atMs: number): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        if (!state.isOver) onMoment(moment, call);
      },
      Math.max(0, atMs - Date.now()),
    );
    timers.add(timer);
  }

  function ringing(entry: LogEntry): void {
    const number = text(entry[entry['direction'] === 'incoming' ? 'from' : 'to']);
    rung.set(number, (rung.get(number) ?? 0) + 1);
    const call: SeenCall = {
      number,
      legId: entry.legId ?? '',
      streams: [],
      answeredAt: null,
      endedAt: null,
      lastSaid: '',
      hasBegunReply: false,
      replies: 0,
    };
    byLeg.set(call.legId, call);
    if (number === deskNumber) {
      const caller = [...calls.values()].find(
        ({ lastSaid, endedAt }) => lastSaid.includes('person') && endedAt === null,
      );
      if (caller !== undefined) report('transfer', caller, entry.at + 300);
      return;
    }
    calls.set(number, call);
    report('ringing', call, entry.at + 200);
  }

  function take(entry: LogEntry): void {
    entries.push(entry);
    if (entry.type === 'leg' && entry['state'] === 'ringing') return ringing(entry);
    const call = byLeg.get(entry.legId ?? '');
    if (call === undefined) return;
    if (entry.type === 'stream') return stream(call, entry);
    const isCaller = call.number !== deskNumber;
    if (entry.type === 'leg' && entry['state'] === 'answered') {
      call.answeredAt = entry.at;
      if (isCaller) report('answered', call, entry.at + 60);
    }
    if (entry.type === 'leg' && entry['state'] === 'ended') {
      call.endedAt = entry.at;
      if (isCaller && call.answeredAt !== null) report('hung up', call, entry.at + 30);
    }
    if (!isCaller) return;
    if (entry.type === 'said') said(call, entry);
    if (entry.type === 'sound_began') soundBegan(call, entry.at);
    if (entry.type === 'heard' && text(entry['text']).endsWith('?'))
      report('between turns', call, entry.at + 500);
  }

  function stream(call: SeenCall, entry: LogEntry): void {
    const port = Number(new URL(text(entry['url'])).port);
    if (entry['what'] === 'opened')
      call.streams.push({ port, from: entry.at, until: Number.POSITIVE_INFINITY });
    const open = call.streams.findLast(
      (each) => each.port === port && each.until === Number.POSITIVE_INFINITY,
    );
    if (open !== undefined && ['lost', 'ended', 'failed'].includes(text(entry['what'])))
      open.until = entry.at;
  }

  function said(call: SeenCall, entry: LogEntry): void {
    const ms = Number(entry['ms']);
    call.lastSaid = text(entry['text']);
    call.hasBegunReply = false;
    if (!call.lastSaid.includes('take')) return;
    report('caller speaks', call, entry.at + ms / 2);
    report('caller stopped', call, entry.at + ms + 80);
  }

  function soundBegan(call: SeenCall, at: number): void {
    if (call.hasBegunReply) return;
    call.hasBegunReply = true;
    call.replies += 1;
    if (call.replies === 1) report('first clause', call, at + perCharacterMs * 'Welcome.'.length + 80);
    if (call.replies === 2) report('mid-clause', call, at + perCharacterMs * 'Very well. We have'.length);
    if (/card|no time/.test(call.lastSaid)) report('goodbye', call, at + 700);
  }

  async function follow(): Promise<void> {
    let after = begunAfter;
    while (!state.isOver) {
      const fresh = await carrier.log({ after }).catch(() => []);
      for (const entry of fresh) {
        after = Math.max(after, entry.n);
        take(entry);
      }
      await pause(30);
    }
  }
  const following = follow();
  return {
    calls,
    entries,
    rung,
    note: (moment, number) => {
      const call = calls.get(number);
      if (call !== undefined) report(moment, call, 0);
    },
    async stop() {
      await pause(100);
      state.isOver = true;
      for (const timer of timers) clearTimeout(timer);
      await following;
    },
  };
}
