import { normalize } from '../speech/words.ts';

/** Phrases that only show attention; they do not interrupt a reply. Our own lists, not tested on people. */
const lists: Readonly<Record<string, readonly string[]>> = {
  en: [
    'uh huh',
    'mm hmm',
    'mhm',
    'mm',
    'hmm',
    'hm',
    'ah',
    'oh',
    'yeah',
    'yep',
    'yes',
    'ok',
    'okay',
    'right',
    'sure',
    'i see',
    'got it',
    'all right',
    'alright',
    'of course',
  ],
  ru: [
    'ага',
    'угу',
    'мм',
    'хм',
    'да',
    'да да',
    'так',
    'понятно',
    'ясно',
    'хорошо',
    'ладно',
    'ок',
    'окей',
    'конечно',
  ],
  es: [
    'ajá',
    'aja',
    'mm',
    'sí',
    'si',
    'vale',
    'ya',
    'claro',
    'bueno',
    'ok',
    'okay',
    'de acuerdo',
    'entiendo',
  ],
  de: ['mhm', 'hm', 'aha', 'ach so', 'ja', 'genau', 'okay', 'ok', 'gut', 'verstehe', 'klar', 'stimmt'],
  fr: [
    'mm',
    'hm',
    'mhm',
    'ah',
    'oui',
    'ouais',
    'ok',
    'okay',
    'd’accord',
    'd accord',
    'je vois',
    'bien sûr',
    'voilà',
  ],
  it: ['mm', 'mhm', 'ah', 'sì', 'si', 'ok', 'okay', 'va bene', 'certo', 'capisco', 'esatto'],
  pt: ['mm', 'aham', 'uhum', 'ah', 'sim', 'tá', 'ok', 'okay', 'certo', 'entendi', 'claro', 'pois'],
  nl: ['mm', 'hm', 'mhm', 'aha', 'ja', 'oké', 'ok', 'okay', 'goed', 'precies', 'ik snap het'],
  pl: ['mhm', 'mm', 'aha', 'tak', 'no', 'dobrze', 'dobra', 'ok', 'okej', 'jasne', 'rozumiem'],
  tr: ['hı hı', 'hmm', 'evet', 'tamam', 'peki', 'anladım', 'ok', 'okey'],
  uk: ['ага', 'угу', 'так', 'мм', 'зрозуміло', 'добре', 'ок', 'окей', 'звісно'],
  ja: ['はい', 'うん', 'ええ', 'そう', 'そうですね', 'なるほど'],
  zh: ['嗯', '哦', '好', '好的', '对', '是', '是的', '行'],
  ko: ['네', '예', '응', '음', '아', '그렇군요', '알겠습니다'],
  hi: ['हाँ', 'हां', 'जी', 'अच्छा', 'ठीक है', 'हम्म'],
};

/** The phrases of a language; all languages for `multi`; only sounds for an unlisted language. */
export function backchannelsOf(language: string): readonly string[] {
  if (language === 'multi') return [...new Set(Object.values(lists).flat())].map(normalize);
  return (lists[language.slice(0, 2).toLowerCase()] ?? ['mm', 'hmm', 'hm', 'mhm', 'ah', 'oh', 'ok']).map(
    normalize,
  );
}

/** The text consists of one or more backchannels. */
export function isBackchannel(text: string, phrases: readonly string[]): boolean {
  let rest = normalize(text);
  if (rest === '') return false;
  while (rest !== '') {
    const phrase = longest(phrases.filter((each) => rest === each || rest.startsWith(`${each} `)));
    if (phrase === undefined) return false;
    rest = rest.slice(phrase.length).trimStart();
  }
  return true;
}

function longest(phrases: readonly string[]): string | undefined {
  return phrases.reduce<string | undefined>(
    (best, each) => (best === undefined || each.length > best.length ? each : best),
    undefined,
  );
}
