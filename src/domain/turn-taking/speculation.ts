import { sentenceEnd } from './sentence-end.ts';
import { change, isVoiceOn, order, textOf, type Update } from './state.ts';
import { maxSpeculations } from './timing.ts';
import { isSameText } from '../speech/words.ts';

/**
 * Asks the model ahead once the words are stable, unless the caller will certainly go on
 * (docs/turn-taking.md).
 */
export function considerSpeculation(update: Update): void {
  const { state, settings } = update;
  const text = textOf(state);
  if (state.turn === null || state.floor !== 'caller' || text === '' || state.speculation.text !== null)
    return;
  const isStable = state.interim === '' || state.isInterimStable || !isVoiceOn(state);
  if (
    !isStable ||
    state.speculation.count >= maxSpeculations ||
    sentenceEnd(text, settings.language) === 'unfinished'
  )
    return;
  change(update, { speculation: { text, count: state.speculation.count + 1 } });
  order(update, { kind: 'speculate', text });
}

/** Drops a reply that was asked ahead for other words. */
export function checkSpeculation(update: Update): void {
  const { text } = update.state.speculation;
  if (text !== null && !isSameText(text, textOf(update.state))) dropSpeculation(update);
}

export function dropSpeculation(update: Update): void {
  const { speculation } = update.state;
  if (speculation.text === null) return;
  change(update, { speculation: { ...speculation, text: null } });
  order(update, { kind: 'drop_speculation' });
}
