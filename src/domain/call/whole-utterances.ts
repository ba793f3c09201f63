import { joinTexts } from '../speech/words.ts';
import type { Exchange } from './tool-round.ts';

/**
 * Joins what the caller said without an answer in between. The last words of a sentence can come after its
 * turn was handed on; they cancel the answer and begin a turn of their own (docs/turn-taking.md). The
 * transcript keeps both lines, but the model has to answer the whole sentence and not its last words.
 */
export function wholeUtterances(exchanges: readonly Exchange[]): Exchange[] {
  const whole: Exchange[] = [];
  for (const exchange of exchanges) {
    const last = whole.at(-1);
    // guarantee: late-words-answered-as-one-utterance
    if (last?.kind === 'line' && exchange.kind === 'line' && isUtterance(last) && isUtterance(exchange)) {
      const text = joinTexts([last.line.text, exchange.line.text]);
      whole[whole.length - 1] = { kind: 'line', line: { ...last.line, text } };
    } else whole.push(exchange);
  }
  return whole;
}

const isUtterance = ({ line: { speaker, kind } }: Extract<Exchange, { kind: 'line' }>): boolean =>
  speaker === 'user' && kind === 'utterance';
