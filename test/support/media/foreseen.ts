import type { SpokenCall } from './speaking-world.ts';

/**
 * Plays a call's opening, `Hi there.` at the node `start`, until the caller has said these words: then the
 * next turn is foreseen. Answers the words as they were understood.
 */
export async function openingOf(call: SpokenCall, words: string): Promise<string> {
  const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
  await call.line.hears('Hi there.');
  await call.line.quiet(300);
  await call.line.say(words);
  const { next } = await opening;
  if (next.kind !== 'utterance') throw new Error(`The opening ended with ${next.kind}`);
  return next.text;
}
