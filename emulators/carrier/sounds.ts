import { encodeSpeech } from '../modem/encode-speech.ts';

/** A text as audio at 8 kHz. */
export const spoken = (text: string): Int16Array => encodeSpeech(text, 8000);

/** A pure tone: a beep, a fax. */
export function tone(hertz: number, ms: number): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / 8000)),
  );
}

/** As loud as speech but without words. The same every time. */
export function noise(ms: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: ms * 8 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state % 16_000) - 8_000;
  });
}

/** Whether it is as loud as speech. */
export function isLoud(samples: Int16Array): boolean {
  return samples.some((sample) => sample > 700 || sample < -700);
}

/** The mix of several sounds; null without any. */
export function mixed(sounds: (Int16Array | null)[]): Int16Array | null {
  const present = sounds.filter((sound) => sound !== null);
  if (present.length <= 1) return present[0] ?? null;
  const [first] = present;
  return first === undefined
    ? null
    : first.map((_, index) =>
        Math.max(
          -32_768,
          Math.min(
            32_767,
            present.reduce((sum, sound) => sum + (sound[index] ?? 0), 0),
          ),
        ),
      );
}
