import type { CallScript, Fault, Hop, LatencySplit, ToolUse } from '../../call/script.ts';

/** What stands in the transcript of a test, one thing below the other. */
export type Row = AgentRow | CallerRow | Hop | ToolUse | Fault;

export interface AgentRow {
  kind: 'agent';
  /** Milliseconds since the conversation began. */
  at: number;
  text: string;
  /** The name of the node that said it. */
  node: string | null;
  waitMs: number | null;
  split: LatencySplit | null;
  /** Of the model's answer, in the last line of a turn. */
  tokens: number | null;
  isCut: boolean;
}

export interface CallerRow {
  kind: 'caller';
  at: number;
  text: string;
  /** 1 for what the caller said first. */
  turn: number;
}

/**
 * The rows of a conversation: clauses of one answer are one row, which knows its node. `tokens` are those of
 * each answer, by the turn that it belongs to.
 */
export function rowsOf(script: CallScript, tokens: readonly (number | null)[] = []): readonly Row[] {
  const rows: Row[] = [];
  let node: string | null = null;
  let turn = 0;
  for (const item of script.items) {
    const last = rows.at(-1);
    if (item.kind === 'hop') node = item.node;
    if (item.kind !== 'line') rows.push(item);
    else if (item.speaker === 'caller') {
      turn += 1;
      rows.push({ kind: 'caller', at: item.at, text: item.text, turn });
    } else if (last?.kind === 'agent' && last.node === node && !last.isCut) {
      last.text = `${last.text} ${item.text}`;
      last.isCut = item.isCutOff;
    } else
      rows.push({
        kind: 'agent',
        at: item.at,
        text: item.text,
        node,
        waitMs: item.latencyMs,
        split: item.split,
        tokens: null,
        isCut: item.isCutOff,
      });
  }
  giveTokens(rows, tokens);
  return rows;
}

/** The tokens of a turn stand at its last line. */
function giveTokens(rows: readonly Row[], tokens: readonly (number | null)[]): void {
  let turn = 0;
  const lastOf = new Map<number, AgentRow>();
  for (const row of rows) {
    if (row.kind === 'caller') turn = row.turn;
    if (row.kind === 'agent') lastOf.set(turn, row);
  }
  for (const [at, row] of lastOf) row.tokens = tokens[at] ?? null;
}

/** What the caller said, in order. */
export const saidBy = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap((row) => (row.kind === 'caller' ? [row.text] : []));
