import iconv from 'iconv-lite';
import type { Encoding } from './encodings.ts';

/**
 * How likely a text is in any of the usual languages: a model of letters by their frequency in each language,
 * because contact files hold names, for which tables of frequent words and trigrams are too coarse.
 */

/** Letters of each language, the most frequent first, in small letters. */
const alphabets = [
  // German, French, Spanish, Portuguese, Italian, Dutch
  'enisratdhulcgmobwfkzüväpößjyxqéèàç',
  'esaitnrulodcmpévqfbghjàxèêyzâçôùîûwkœïëüæñ',
  'eaosrnidltcmupbgvyqóíhfzjéáñxúüwkç',
  'aeosrindmutclpvgqbfhãçázéójíêõxúàâôkwyü',
  'eaionlrtscdupmvghfbqzàèìòùéjkwxy',
  'enatirodslghvkmubpwjczfxyëïéèöóqü',
  // Swedish, Danish and Norwegian, Finnish, Icelandic
  'eantrslidomkgväfhupåöbcyjxwézqüà',
  'enrtasidlogkmvfuphbøåæjyczwxéqöüäò',
  'aintesloukämvrjhypdögbfcwåqxzšž',
  'arniestuðglmkfhvoáþídjóbyæúöpéýxcwzq',
  // Polish, Czech, Slovak, Hungarian, Romanian, Croatian and Slovene
  'aioezrnwsctkydpmuljłbghąężóśćfńźqvxöü',
  'oeantivlsrdkupímcházyjběřéčžýšůgúfňxťóďwqöü',
  'aoenirvtslkdcmupzáhjybíčéžľýšúgťôňfäóďxwĺŕqöü',
  'eatlnskomzrigáéydbvhjőfupöóícüúűwxqä',
  'eiarntuclsodăpmșțşţvfbgâîzhxjkwyqöüá',
  'aioenrjtsvkludmpgzbčhšcžćđfywxqöü',
  // Turkish, Lithuanian, Latvian, Estonian
  'aeinrlıkdmyutsboüşzgğhcçvpİöfjâîûwxq',
  'iasotrenukmplvdjgėbyųšžązcįčęūfhxwq',
  'aisteunrmokldvāpījzēgbcšņķļūģžčfhwxyq',
  'aesitlunkdmorvghõäpjüöbfšžcxyzwq',
  // Russian, Ukrainian, Belarusian, Bulgarian, Serbian and Macedonian
  'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
  'оаинітевркслудпямзьгйбчхжїшюцєщфґ',
  'анірыелтскодупвмзяькгбцўйчхжшюэёф',
  'аиоентрсвлкпдмзбъугчщшцйхжфяюь',
  'аиоенрсјтувдклпмзгбчћшцжхњђљфџѓќѕ',
  // Greek, Hebrew, Arabic and Persian, Thai
  'αοιετσνηυρπκμλςίάόωγδέήθύφχβώξζψϊϋΐΰ',
  'יוהלאתרבםמשנכעדחקפןגזסצטךףץ',
  'اليمونرتبهدفعسحقكةجشخصذىئزطءأضغثؤإظآپچژگ',
  'านรอกเง่มย้ลวดทสิต์ีะปบคหัแจพชขุใไูโำผถซ็ณธฉึศภืพฐญฟฮฬฤฎฏฆฑฒฌ',
];

/** What is common in names and texts of East Asia, and where the usual characters are in their encoding. */
const eastern = {
  gb18030: {
    common:
      '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏方白孟秦江伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂的一是不了人在有我他这中大来上国们到说时要就出会可也你对生能而子得下之年过发后作电话姓名地址城市北京海广州深圳区路号公司备注',
    from: 0xb0a1,
    to: 0xd7fe,
  },
  big5: {
    common:
      '王李張劉陳楊黃趙吳周徐孫馬朱胡郭何高林羅鄭梁謝宋唐許韓鄧曹彭曾蕭田董袁潘蔣蔡余杜葉程蘇魏呂丁任沈姚盧姜崔鐘譚陸汪范金石廖賈夏方白孟江邱賴洪志家豪俊淑芬美玲雅婷怡君的一是不了人在有我他這中大來上國們到說時要就出會可也你對生能而子得下之年過發後作電話姓名地址城市臺北台雄新竹區路號公司備註',
    from: 0xa440,
    to: 0xc67e,
  },
  shiftjis: {
    common:
      '佐藤鈴木高橋田中伊渡辺山本村小林加吉井松清水斎崎森池口阿部石川前長谷原近後青坂遠岡西福太三郎一二子美花恵男雄和幸正明日人年大学東京都市区町県北海道千葉神奈横浜名古屋会社株式電話番号住所氏様健翔',
    from: 0x889f,
    to: 0x9872,
  },
  euckr: {
    common:
      '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민나진지은영수현준연미경희선호도원재빈동기인혜숙자순철상훈시가을다는에의로울부산대천광번화름소회사길국',
    from: 0xb0a1,
    to: 0xc8fe,
  },
};

type Eastern = keyof typeof eastern;

const isEastern = (encoding: string): encoding is Eastern => encoding in eastern;

/** Natural logarithms of probabilities. */
const likely = { common: -5.3, usual: -9, kana: -5, sign: -5 };
const rare = { letter: -10, symbol: -12, invalid: -20 };
/** For an odd capital, another script within a word, a letter that stands alone, a word of another language. */
const penalties = { capital: -3, script: -5, alone: -4, language: -2 };

/** Each language has its place in a row; the last one is that of the East Asian language of an encoding. */
const places = alphabets.length + 1;
const rows = rowsByLetter();
const tables = new Map<Eastern, Map<string, number>>();

function rowsByLetter(): Map<string, Float64Array> {
  const found = new Map<string, Float64Array>();
  for (const [language, letters] of alphabets.entries()) {
    for (const [rank, letter] of Array.from(letters).entries()) {
      const row = found.get(letter) ?? new Float64Array(places).fill(rare.letter);
      // From one letter to the next, the frequency falls by about a seventh in all languages.
      row[language] = Math.max(-2 - 0.15 * rank, rare.letter + 1);
      if (letter < '\u0080') row[places - 1] = likely.common;
      found.set(letter, row);
    }
  }
  return found;
}

function easternTable(name: Eastern): Map<string, number> {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const { common, from, to } = eastern[name];
  const pairs = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const usual = iconv.decode(Buffer.from(pairs.flatMap((pair) => [pair >> 8, pair & 0xff, 0x0a])), name);
  const table = new Map(Array.from(usual, (character) => [character, likely.usual]));
  for (const character of common) table.set(character, likely.common);
  tables.set(name, table);
  return table;
}

/** By how much a text in fewer, longer characters must be likelier than another, not to be an accident. */
export const clearly = 3;

/**
 * The likelihood (a logarithm) that people wrote these words, which this encoding makes of bytes. Of a word,
 * the likeliest language counts, and most words of a file should be of one language. Comparable between
 * encodings of the same bytes only.
 */
export function likelihood(words: readonly string[], encoding: Encoding): number {
  const name = encoding === 'eucjp' ? 'shiftjis' : encoding;
  const table = isEastern(name) ? easternTable(name) : new Map<string, number>();
  const sums = new Float64Array(places);
  const word = new Float64Array(places);
  let [others, letters] = [0, 0];
  const endWord = (): void => {
    if (letters === 0) return;
    if (letters === 1) others += penalties.alone;
    const best = Math.max(...word) + penalties.language;
    for (let place = 0; place < places; place += 1)
      sums[place] = (sums[place] ?? 0) + Math.max(word[place] ?? 0, best);
    word.fill(0);
    letters = 0;
  };
  for (const text of words) {
    for (const character of text) {
      const row = rows.get(smallOf(character));
      if (row === undefined && !/\p{L}/u.test(character)) {
        endWord();
        others += symbolLikelihood(character);
        continue;
      }
      letters += 1;
      const east = table.get(character) ?? easternLikelihood(character);
      for (let place = 0; place < places; place += 1)
        word[place] = (word[place] ?? 0) + (row?.[place] ?? (place === places - 1 ? east : rare.letter));
    }
    endWord();
    others +=
      penalties.capital * occurrences(text, oddCapitals) + penalties.script * occurrences(text, oddScripts);
  }
  return Math.max(...sums) + others;
}

function easternLikelihood(letter: string): number {
  if (/[ぁ-んァ-ヶー]/u.test(letter)) return likely.kana;
  return /[ｦ-ﾟ]/u.test(letter) ? rare.letter : rare.symbol;
}

/** Capitals within a word. McDonald is rare, wrong encodings are not. */
const oddCapitals = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/gu;
/** East Asian letters beside Latin ones and signs between letters, as in “Gr圦e” and “Mu€oz”. */
const oddScripts =
  /[A-Za-z][\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}]|[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}][A-Za-z]|\p{L}[€£§©®™°•…„“”«»º–—]\p{L}/gu;

const occurrences = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function smallOf(character: string): string {
  const small = character.toLowerCase();
  return small.length === character.length ? small : character;
}

function symbolLikelihood(character: string): number {
  if (character < '\u0080') return -3;
  if (/[\uFFFD\p{C}]/u.test(character)) return rare.invalid;
  return /[¿¡’‘“”„«»–—…•°ºª№€£§©®™´\u00A0\u3000-\u3002「」・！（），：？]/u.test(character)
    ? likely.sign
    : rare.symbol;
}
