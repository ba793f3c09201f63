import { i18n, type Messages } from '@lingui/core';
import common from '../locales/en/common.json';

/**
 * The catalog: one file of `locales/en` per room, ICU messages by ids such as `agents.title`. The build
 * compiles them.
 */
const rooms = import.meta.glob<Messages>('../locales/en/*.json', { eager: true, import: 'default' });
const english: Messages = Object.assign({}, common, ...Object.values(rooms));

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
const catalog = locale === 'en-XA' ? lengthened(english) : english;
i18n.load(locale === 'en-XA' ? 'en' : locale, catalog);
i18n.activate(locale === 'en-XA' ? 'en' : locale);
document.documentElement.lang = locale === 'en-XA' ? 'en' : locale;

/** The words of an id, with values filled in. */
export const t = (id: string, values?: Record<string, unknown>): string => i18n._(id, values);

/** Whether the catalog has words for an id, such as one made of a server's code. */
export const hasWords = (id: string): boolean => id in english;

function lengthened(messages: Messages): Messages {
  const accents: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', n: 'ñ', c: 'ç', y: 'ý' };
  const longer = (text: string) =>
    `${text.replaceAll(/[aeiouncy]/g, (letter) => accents[letter] ?? letter)}${text.length > 1 ? ' ' + '~'.repeat(Math.ceil(text.length * 0.4)) : ''}`;
  const change = (part: unknown): unknown => (typeof part === 'string' ? longer(part) : part);
  return Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [
      id,
      (Array.isArray(message) ? message.map(change) : change(message)) as Messages[string],
    ]),
  );
}
