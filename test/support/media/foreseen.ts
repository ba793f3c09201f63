import type { SpokenCall } from './speaking-world.ts';

/**
 * Plays a call's opening, `Hi there.` at the node `start`, until the caller has said these words and the next
 * turn was asked ahead. Returns the recognized words.
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
