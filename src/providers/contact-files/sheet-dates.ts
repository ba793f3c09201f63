/** Which part of a timestamp a number format shows. */
export type DatePart = 'date' | 'time' | 'both';

/**
 * Which part of a date a format's numbers show; null = they are not dates. `formats` are the workbook's own,
 * by their number.
 */
export function datePart(formatId: number, formats: ReadonlyMap<number, string>): DatePart | null {
  const code = formats.get(formatId);
  if (code !== undefined) return partOfCode(code);
  if (
    (formatId >= 14 && formatId <= 17) ||
    (formatId >= 27 && formatId <= 31) ||
    formatId === 36 ||
    (formatId >= 50 && formatId <= 58)
  )
    return 'date';
  if (
    (formatId >= 18 && formatId <= 21) ||
    (formatId >= 32 && formatId <= 35) ||
    (formatId >= 45 && formatId <= 47)
  )
    return 'time';
  return formatId === 22 ? 'both' : null;
}

/** Letters outside quotes, brackets and escapes. `[h]` is a duration. */
function partOfCode(code: string): DatePart | null {
  const [first = ''] = code.split(';');
  const letters = first.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').toLowerCase();
  if (letters.includes('general') || /[0#?]/.test(letters.replaceAll(/s[.,]0+/g, ''))) return null;
  const [hasDate, hasTime] = [/[yd]|mmm|e/.test(letters), /[hs]/.test(letters)];
  if (hasDate && hasTime) return 'both';
  if (hasDate) return 'date';
  if (hasTime) return 'time';
  return letters.includes('m') ? 'date' : null;
}

const dayMs = 86_400_000;

/**
 * A sheet's number in ISO 8601: `2026-11-20`, `09:30:00`, `2026-11-20T09:30:00`. Excel treats 1900 as a leap
 * year, so days before March 1900 are one off in every program, and are kept so. Null if it is not a date.
 */
export function isoText(serial: number, part: DatePart, startsIn1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return null;
  const seconds = Math.round((serial % 1) * 86_400);
  if (part === 'time') return clock(Math.floor(serial) * 86_400 + seconds);
  const days = Math.floor(serial) + (startsIn1904 ? 1462 : 0);
  const base = days < 60 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
  const iso = new Date(base + days * dayMs + seconds * 1000).toISOString();
  return part === 'date' && seconds === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
