import { t } from '../../app/words.ts';
import { channelOf, numberOf, personOf } from '../call/facts.ts';

type Named = Parameters<typeof numberOf>[0] & { mode: string };

/** How a call is called: by its person, else by the number, else by its channel. */
export function nameOf(call: Named, numberText: (number: string) => string): string {
  const number = numberOf(call);
  return (
    personOf(call) ?? (number === null ? t(`calls.channel.${channelOf(call.mode)}`) : numberText(number))
  );
}
