import { i18n, type Messages } from '@lingui/core';

export const locales = ['en', 'en-XA', 'ar'] as const;
export type Locale = (typeof locales)[number];

function chosen(): Locale {
  try {
    const stored = localStorage.getItem('parlance.locale');
    return locales.find((each) => each === stored) ?? 'en';
  } catch {
    return 'en';
  }
}

export const locale: Locale = chosen();

/** `en-XA` shows whether longer words fit; `ar` whether the page can be mirrored. Both are for development. */
const language = locale === 'en-XA' ? 'en' : locale;
i18n.load(language, {});
i18n.activate(language);
document.documentElement.lang = language;

/**
 * Adds the words of a file of `locales/en`: ICU messages by ids such as `agents.title`. The build compiles them
 * and calls this before a module that names one of them runs (`console/build/words.ts`).
 *
 * @public
 */
export function addWords(messages: Messages): void {
  i18n.load(language, locale === 'en-XA' ? lengthened(messages) : messages);
}

/** The words of an id, with values filled in. */
export function t(id: string, values?: Record<string, unknown>): string {
  if (!hasWords(id)) reportError(new Error(`There are no words for ${id}`));
  return i18n._(id, values);
}

/** Whether the catalog has words for an id, such as one made of a server's code. */
export const hasWords = (id: string): boolean => id in i18n.messages;

function lengthened(messages: Messages): Messages {
  const accents: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', n: 'ñ', c: 'ç', y: 'ý' };
  // In words that are as long as those of a language.
  const filler = (length: number) => '~'.repeat(length).replaceAll(/~{12}(?=~)/g, '$& ');
  const longer = (text: string) =>
    `${text.replaceAll(/[aeiouncy]/g, (letter) => accents[letter] ?? letter)}${text.length > 1 ? ' ' + filler(Math.ceil(text.length * 0.4)) : ''}`;
  const change = (part: unknown): unknown => (typeof part === 'string' ? longer(part) : part);
  return Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [
      id,
      (Array.isArray(message) ? message.map(change) : change(message)) as Messages[string],
    ]),
  );
}
