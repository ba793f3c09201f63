import type { Line } from './line.ts';

/** One call of a tool by the model, and its result. */
export interface ToolCallRecord {
  /** The model's id of the call. */
  id: string;
  name: string;
  /** As the model sent it. */
  argumentsText: string;
  /** JSON text. */
  result: string;
  /** ISO 8601; absent in calls of older code. */
  startedAt?: string;
  endedAt?: string;
}

/** The tools that one answer of the model called, in order. */
export interface ToolRound {
  /** Number of the turn's lines before the round. */
  atLine: number;
  calls: ToolCallRecord[];
}

/** One event of a conversation: a spoken line, or a round of tools. */
export type Exchange = { kind: 'line'; line: Line } | { kind: 'tools'; calls: readonly ToolCallRecord[] };

/** One turn's lines and tool rounds in the order in which they happened. */
export function exchangesOf(lines: readonly Line[], rounds: readonly ToolRound[]): Exchange[] {
  const usedAt = (index: number): Exchange[] =>
    rounds.filter(({ atLine }) => atLine === index).map(({ calls }) => ({ kind: 'tools', calls }));
  return [
    ...lines.flatMap((line, index): Exchange[] => [...usedAt(index), { kind: 'line', line }]),
    ...usedAt(lines.length),
  ];
}

/** The exchanges after the first `count` lines. */
export function exchangesAfter(exchanges: readonly Exchange[], count: number): Exchange[] {
  let lines = 0;
  return exchanges.filter(({ kind }) => {
    const isAfter = lines >= count;
    if (kind === 'line') lines += 1;
    return isAfter;
  });
}
