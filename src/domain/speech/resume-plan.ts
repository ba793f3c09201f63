import type { LineKind } from '../call/line.ts';
import type { JournalEntry, JournaledClause, JournaledDecision, JournaledUtterance } from './journal.ts';

/** How a step goes on that hosts before this one began. */
export interface ResumePlan {
  /** Heard by the person, in order. */
  heard: HeardLine[];
  /** To be said, whole: not known to have been heard to its end. */
  unheard: JournaledClause[];
  /** Everything that was made for the step so far, heard or not, without asides. */
  madeLines: { kind: LineKind; text: string }[];
  /** The caller cut it off. */
  wasInterrupted: boolean;
  /** Null: the reply was not complete. */
  decision: JournaledDecision | null;
  /** The caller answered already: the step is over. */
  utterance: JournaledUtterance | null;
  /** Nothing of the step reached the line. */
  isUntouched: boolean;
}

export interface HeardLine {
  kind: LineKind;
  text: string;
  /** ISO 8601. */
  at: string;
}

/**
 * Reads the journal of one step, all older generations in order. A clause that one of them played is never
 * said again; one that was cut off by the caller ends the reply, and what was decided with it is void.
 */
export function planResume(entries: readonly JournalEntry[]): ResumePlan {
  const clauses = mergedClauses(entries);
  const spoken = clauses.filter((each) => each.playedAt !== null);
  const wasInterrupted = clauses.some((each) => !each.isFiller && each.heardText !== null);
  const own = clauses.filter(({ isFiller }) => !isFiller);
  return {
    heard: linesOf(spoken),
    // guarantee: when-media-host-dies
    unheard: wasInterrupted ? [] : own.filter(({ playedAt }) => playedAt === null),
    madeLines: linesOf(
      own
        .toSorted((left, right) => left.position - right.position)
        .map((each) => ({ ...each, heardText: null })),
    ).map(({ kind, text }) => ({ kind, text })),
    wasInterrupted,
    decision: wasInterrupted ? null : (entries.findLast((each) => each.kind === 'decision') ?? null),
    utterance: entries.findLast((each) => each.kind === 'utterance') ?? null,
    isUntouched: clauses.every(({ sentAt }) => sentAt === null),
  };
}

/** One for each position, in order; a later host repeats a clause under the position that it had. */
function mergedClauses(entries: readonly JournalEntry[]): JournaledClause[] {
  const byPosition = new Map<number, JournaledClause>();
  for (const entry of entries) {
    if (entry.kind !== 'clause') continue;
    const known = byPosition.get(entry.position);
    const isSettled = known?.playedAt != null && known.heardText === null;
    if (!isSettled)
      byPosition.set(
        entry.position,
        known === undefined
          ? entry
          : {
              ...entry,
              sentAt: known.sentAt ?? entry.sentAt,
              playedAt: entry.playedAt ?? known.playedAt,
              heardText: entry.playedAt === null ? known.heardText : entry.heardText,
            },
      );
  }
  return [...byPosition.values()].toSorted(
    (left, right) => orderOf(left) - orderOf(right) || left.position - right.position,
  );
}

/** By the moment at which it went out; what did not go out is last. */
const orderOf = ({ sentAt }: JournaledClause): number =>
  sentAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(sentAt);

/**
 * Clauses of one kind that follow each other are one line, and bring their own spaces; an aside is a line of
 * its own.
 */
function linesOf(clauses: readonly JournaledClause[]): HeardLine[] {
  const lines: (HeardLine & { isFiller: boolean })[] = [];
  for (const { lineKind, isFiller, text, heardText, sentAt, playedAt } of clauses) {
    const heard = heardText ?? text;
    if (heard.trim() === '') continue;
    const last = lines.at(-1);
    if (last !== undefined && last.kind === lineKind && !last.isFiller && !isFiller) last.text += heard;
    else lines.push({ kind: lineKind, text: heard, at: sentAt ?? playedAt ?? '', isFiller });
  }
  return lines.map(({ isFiller: _, ...line }) => ({ ...line, text: line.text.trim() }));
}
