import type { Exchange } from '../call/tool-round.ts';
import { oneLine } from '../call/transcript.ts';

/** The conversation at one node, over all visits. */
export interface Passage {
  nodeId: string;
  /** `user: …`, `assistant: …`, `tool: …`, in the order spoken. */
  lines: string[];
  /** The conversation before the first line. */
  before: string[];
  metrics: PassageMetrics;
}

/** Figures for the model that judges. */
export interface PassageMetrics {
  user_lines: number;
  assistant_lines: number;
  tool_calls: number;
  /** Time from the first line to the last one. */
  seconds: number;
}

const toolResultCharacters = 2000;

/**
 * Splits a conversation by node, in order of the first visit. A tool's result belongs to the node of the line
 * before it.
 */
export function passagesOf(exchanges: readonly Exchange[]): Passage[] {
  const passages = new Map<string, Passage & { from: number; to: number }>();
  const said: string[] = [];
  let at = firstNodeIn(exchanges);
  for (const exchange of exchanges) {
    if (exchange.kind === 'line') at = exchange.line.nodeId ?? at;
    if (at === null) continue;
    const passage = passages.get(at) ?? {
      nodeId: at,
      lines: [],
      before: [...said],
      metrics: { user_lines: 0, assistant_lines: 0, tool_calls: 0, seconds: 0 },
      from: Number.NaN,
      to: Number.NaN,
    };
    passages.set(at, passage);
    const texts = textsOf(exchange);
    passage.lines.push(...texts);
    said.push(...texts);
    count(passage, exchange);
  }
  return [...passages.values()].map(({ from, to, ...passage }) => ({
    ...passage,
    metrics: { ...passage.metrics, seconds: Number.isNaN(from) ? 0 : (to - from) / 1000 },
  }));
}

function firstNodeIn(exchanges: readonly Exchange[]): string | null {
  for (const exchange of exchanges)
    if (exchange.kind === 'line' && exchange.line.nodeId !== null) return exchange.line.nodeId;
  return null;
}

function textsOf(exchange: Exchange): string[] {
  if (exchange.kind === 'line') return [`${exchange.line.speaker}: ${oneLine(exchange.line.text)}`];
  return exchange.calls.map(
    ({ name, result }) => `tool: ${name} answered ${oneLine(result.slice(0, toolResultCharacters))}`,
  );
}

function count(passage: Passage & { from: number; to: number }, exchange: Exchange): void {
  if (exchange.kind === 'tools') {
    passage.metrics.tool_calls += exchange.calls.length;
    return;
  }
  passage.metrics[exchange.line.speaker === 'user' ? 'user_lines' : 'assistant_lines'] += 1;
  const at = Date.parse(exchange.line.at);
  if (Number.isNaN(passage.from)) passage.from = at;
  passage.to = at;
}
