const betweenNumbers = /[;,|/\\\n]|:::|\s(?:or|and|oder|und|или|и|y|o|e|et|ou)\s/i;
/** What stands between the ends of a range, or between extensions. */
const betweenEndings =
  /[;,|&\n]|\s(?:or|and|to|till|oder|und|bis|или|и|до|y|o|a|hasta|e|et|ou|à|até)(?=[\s-])/i;
const extensionWord = String.raw`(?:ext(?:ension)?|x|#|доб(?:авочный)?|вн|durchwahl|dw|poste)[.:]*\s*\d+`;
const dash = String.raw`[-–—‐‑‒−]`;

/** Whether a text has more than one number, a range of numbers, or several extensions (contract 11.2). */
export function readsAsSeveral(text: string): boolean {
  const parts = text.split(betweenNumbers).filter((part) => digitsIn(part) >= 5);
  if (parts.length > 1 && parts.filter((part) => digitsIn(part) >= 7).length > 1) return true;
  // guarantee: range-is-never-one-number
  if (hasOtherEnding(text) || isRange(text) || hasEndings(text) || extensions.test(text)) return true;
  if ((text.match(/\+\s*\d/g)?.length ?? 0) > 1) return true;
  return text.split(/\s+/).filter((part) => /^\+?\d{9,}$/.test(part)).length > 1;
}

/**
 * `123456/7` means 123456 and 123457, and `202 555 0131 / 0132` two numbers as well. What follows an area code
 * (`030/123456`, `+49 34205/1234`) has more digits, or fewer before it: with country code 7, with `00` 9.
 */
function hasOtherEnding(text: string): boolean {
  const counts = text.split('/').map(digitsIn);
  const maxAreaCode = text.trim().startsWith('00') ? 9 : 7;
  return counts.some((count, index) => {
    const before = counts[index - 1] ?? 0;
    return count > 0 && ((count <= 3 && before >= 5) || (count <= 6 && before > maxAreaCode));
  });
}

const ends = new RegExp(String.raw`^(.*?)(\d+)(\s*)${dash}+\s*(\d{1,5})$`, 's');
const dashed = new RegExp(String.raw`\d\)?\s*${dash}\s*\(?\d`);

/**
 * `… 110 - 112` means 110 to 112: the digits after the dash are as many as those before it, and higher. Where
 * dashes stand between all groups (`01-23-45-67-89`), none is a range, and `… 23125 - 130` is one number with
 * its extension.
 */
function isRange(text: string): boolean {
  const [, before = '', from = '', space = '', to = ''] = ends.exec(text) ?? [];
  const start = from.slice(-to.length);
  if (to === '' || from.length < to.length || Number(start) >= Number(to) || dashed.test(before + from))
    return false;
  const isSpaced = space !== '';
  if (from.length === to.length)
    return digitsIn(before) >= 7 && (isSpaced || (to.length > 1 && start[0] === to[0]));
  return (
    digitsIn(before) + from.length >= 7 &&
    to.length >= (isSpaced ? 2 : 3) &&
    start.slice(0, -1) === to.slice(0, -1)
  );
}

/** `… 110 or 112`: a whole number, then other endings. */
function hasEndings(text: string): boolean {
  const [first = '', ...others] = text.split(betweenEndings);
  return (
    digitsIn(first) >= 7 && others.length > 0 && others.every((part) => /^\s*[-–]?\s*\d{1,6}\s*$/.test(part))
  );
}

/** `… x12 x13`, `… ext. 12-14`. */
const extensions = new RegExp(
  String.raw`${extensionWord}\s*(?:(?:${dash}|[/,;&])\s*\d|.*${extensionWord})`,
  'is',
);

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0;
}
