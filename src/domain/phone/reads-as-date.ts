const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const month = String.raw`(?:0?[1-9]|1[0-2])`;
const year = String.raw`(?:19|20)\d{2}`;
const time = String.raw`\d{1,4}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]\.?m\.?)?(?:\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`;

/** Day, month and year in the orders that people and programs write, with one separator. */
const dates = [
  // A date cell of a workbook, of any year.
  String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`${year}([-/.\s])\s?${month}\1\s?${day}\.?`,
  String.raw`(?:${day}([-/.\s])\s?${month}|${month}([-/.\s])\s?${day})(?:\2|\3)\s?${year}\.?`,
  // Two digits of a year after a space may be the end of a number.
  String.raw`(?:${day}([-/.])${month}|${month}([-/.])${day})(?:\4|\5)\d{2}\.?`,
  String.raw`\d{2}([-/.])${month}\6${day}`,
  String.raw`${month}[-/.]${year}`,
  String.raw`${year}[-/.]${month}`,
  String.raw`${year}年\s?${month}月(?:\s?${day}日)?`,
  String.raw`${year}년\s?${month}월(?:\s?${day}일)?`,
  String.raw`(?:\p{L}{2,},?\s+)?${day}(?:\.|st|nd|rd|th)?[\s-]*(?:de\s+|of\s+)?\p{L}{3,}\.?,?[\s-]+(?:de\s+)?(?:${year}|\d{2})`,
  String.raw`(?:\p{L}{2,},?\s+)?\p{L}{3,}\.?\s+${day}(?:st|nd|rd|th)?,?\s+${year}`,
];

const pattern = new RegExp(String.raw`^(?:(?:${dates.join('|')})(?:[T,\s]\s?${time})?|${time})$`, 'iu');

/** Whether a text is a date, a time of day, or both, as spreadsheets and people write them. */
export function readsAsDate(text: string): boolean {
  // guarantee: date-is-never-a-number
  return pattern.test(text.trim());
}
