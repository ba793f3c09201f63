import { normalize } from '../speech/words.ts';

/** How a text ends: finished, certainly unfinished, or unclear. */
export type SentenceEnd = 'finished' | 'unfinished' | 'open';

/**
 * Words after which people go on: conjunctions, articles, possessives, fillers. Only words that seldom end a
 * sentence.
 */
const continuing: Readonly<Record<string, string>> = {
  en: 'and or but because if the a an my your his our their of with from than um uh er erm hmm well like i’m it’s we’re',
  ru: 'и или но а что чтобы если потому когда в на с к от для у по не мой моя моё эм э ну это как',
  es: 'y e o u pero porque si que el la los las un una mi tu su de con para por en eh em este pues',
  de: 'und oder aber weil wenn dass der die das ein eine einen mein meine dein ihr von mit für im äh ähm hm also',
  fr: 'et ou mais parce si que qui le la les un une des mon ma mes de du avec pour dans euh ben alors',
  it: 'e o ma perché se che il lo la i gli le un una mio mia di con per in eh ehm allora',
  pt: 'e ou mas porque se que o a os as um uma meu minha de do da com para em é eh então',
  nl: 'en of maar omdat als dat de het een mijn van met voor in uh eh dus',
  pl: 'i lub albo ale bo że jeśli w na z do dla mój moja eee yyy no więc',
  tr: 've veya ama çünkü eğer bir benim ile için ıı şey yani',
  uk: 'і й або але а що щоб якщо бо в у на з до для мій моя ем е ну',
  hi: 'और या लेकिन क्योंकि अगर कि मेरा मेरी का की के से में',
};
const continuingWords = new Map(
  Object.entries(continuing).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** Numbers that are said one by one, as in a phone number. */
const numberWords = new Set(
  [
    'zero oh one two three four five six seven eight nine ten',
    'ноль один два три четыре пять шесть семь восемь девять',
    'cero uno dos tres cuatro cinco seis siete ocho nueve',
    'null eins zwei zwo drei vier fünf sechs sieben acht neun',
    'zéro un deux trois quatre cinq six sept huit neuf',
    'uno due tre quattro cinque sei sette otto nove',
    'um dois três quatro cinco seis meia sete oito nove',
    'nul een twee drie vier vijf zes zeven acht negen',
    'zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć',
    'sıfır bir iki üç dört beş altı yedi sekiz dokuz',
  ].flatMap((words) => words.split(' ')),
);

/** A phone number without its country code has this many digits. */
const wholeNumberDigits = 10;

/**
 * Judges heuristically how a text ends. Punctuation ends a sentence, but not after a word that people go on
 * from, and not within digits or letters that are said one by one.
 */
export function sentenceEnd(text: string, language: string): SentenceEnd {
  const trimmed = text.trim();
  const words = normalize(trimmed)
    .split(' ')
    .filter((word) => word !== '');
  const last = words.at(-1);
  if (last === undefined) return 'open';
  if (/(?:\.\.\.|…|[,;:、，–—-])["'”’)]*$/u.test(trimmed)) return 'unfinished';
  if (/[?？؟!！]["'”’)]*$/u.test(trimmed)) return 'finished';
  const isTerminated = /[.。।]["'”’)]*$/u.test(trimmed);
  if (isContinuing(last, language) || isWithinRun(words, trimmed, isTerminated)) return 'unfinished';
  return isTerminated ? 'finished' : 'open';
}

function isContinuing(word: string, language: string): boolean {
  if (language === 'multi') return [...continuingWords.values()].some((words) => words.has(word));
  return continuingWords.get(language.slice(0, 2).toLowerCase())?.has(word) === true;
}

function isWithinRun(words: readonly string[], text: string, isTerminated: boolean): boolean {
  if (/\d[:.,/]\d+\D*$/.test(text)) return false; // 10:30, 3.50 and 1/2 are said whole.
  const lastOther = words.findLastIndex((word) => !isRunWord(word));
  const run = words.slice(lastOther + 1);
  const digits = run.reduce((sum, word) => sum + (/^\d+$/.test(word) ? word.length : 1), 0);
  if (run.length >= 2) return digits < wholeNumberDigits;
  return run.length === 1 && /^\d+$/.test(run[0] ?? '') && !isTerminated && digits < wholeNumberDigits;
}

const isRunWord = (word: string): boolean =>
  /^\d+$/.test(word) || /^\p{L}$/u.test(word) || numberWords.has(word);
