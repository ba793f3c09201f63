import { sentenceEnd } from './sentence-end.ts';
import { change, isVoiceOn, order, textOf, type Moment } from './state.ts';
import { maxSpeculations } from './timing.ts';
import { isSameText } from './words.ts';

/**
 * Asks the model ahead once the words stand still; not when the caller is certain to go on
 * (docs/turn-taking.md).
 */
export function considerSpeculation(moment: Moment): void {
  const { state, settings } = moment;
  const text = textOf(state);
  if (state.turn === null || state.floor !== 'caller' || text === '' || state.speculation.text !== null)
    return;
  const standsStill = state.interim === '' || state.isInterimStable || !isVoiceOn(state);
  if (
    !standsStill ||
    state.speculation.count >= maxSpeculations ||
    sentenceEnd(text, settings.language) === 'unfinished'
  )
    return;
  change(moment, { speculation: { text, count: state.speculation.count + 1 } });
  order(moment, { kind: 'speculate', text });
}

/** An answer to other words is no answer. */
export function checkSpeculation(moment: Moment): void {
  const { text } = moment.state.speculation;
  if (text !== null && !isSameText(text, textOf(moment.state))) dropSpeculation(moment);
}

export function dropSpeculation(moment: Moment): void {
  const { speculation } = moment.state;
  if (speculation.text === null) return;
  change(moment, { speculation: { ...speculation, text: null } });
  order(moment, { kind: 'drop_speculation' });
}
