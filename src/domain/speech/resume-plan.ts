import type { LineKind } from '../call/line.ts';
import type { JournalEntry, JournaledClause, JournaledDecision, JournaledUtterance } from './journal.ts';

/** How a host continues a step that earlier hosts began. */
export interface ResumePlan {
  /** Lines that the person heard, in order. */
  heard: HeardLine[];
  /** Clauses to say in full: the journal does not show that they were heard to the end. */
  unheard: JournaledClause[];
  /** Everything that was made for the step so far, heard or not, without fillers. */
  madeLines: { kind: LineKind; text: string }[];
  /** The caller interrupted the step. */
  wasInterrupted: boolean;
  /** Null when the reply was incomplete. */
  decision: JournaledDecision | null;
  /** The caller has answered, so the step is over. */
  utterance: JournaledUtterance | null;
  /** No sound of the step was sent. */
  isUntouched: boolean;
}

export interface HeardLine {
  kind: LineKind;
  text: string;
  /** ISO 8601. */
  at: string;
}

/**
 * Reads the journal of one step, with the entries of all older generations in order. A clause that was played
 * is never said again. A clause that the caller cut off ends the reply and makes its decision void.
 */
export function planResume(entries: readonly JournalEntry[]): ResumePlan {
  const clauses = mergedClauses(entries);
  const spoken = clauses.filter((each) => each.playedAt !== null);
  const wasInterrupted = clauses.some((each) => !each.isFiller && each.heardText !== null);
  const own = clauses.filter(({ isFiller }) => !isFiller);
  return {
    heard: linesOf(spoken),
    // guarantee: heard-sentences-not-repeated
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

/** One clause per position, in order. A later host repeats a clause under its old position. */
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

/** Orders by the time of the first sent frame; unsent clauses come last. */
const orderOf = ({ sentAt }: JournaledClause): number =>
  sentAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(sentAt);

/**
 * Joins consecutive clauses of one kind into a line; they contain their spaces. A filler is a separate line.
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
