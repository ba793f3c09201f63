/** Regions of CLDR that are not countries. */
const noCountries: ReadonlySet<string> = new Set([
  'EU',
  'EZ',
  'QO',
  'UN',
  'XA',
  'XB',
  'ZZ',
  'AC',
  'CP',
  'DG',
  'CQ',
  'EA',
  'IC',
  'TA',
]);

export interface Country {
  code: string;
  name: string;
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** All countries by their two letters, sorted by their names in a language. */
export function countries(language: string): Country[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code) && isPresent(code))
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ code, name }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, language));
}

/** Whether a code is not that of a country of the past, such as SU. */
const isPresent = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** The countries that a person probably means: those of their languages first. */
export function likelyCountries(languages: readonly string[], present: string | null): string[] {
  const own = languages.flatMap((each) => new Intl.Locale(each).maximize().region ?? []);
  const all = [...(present === null ? [] : [present]), ...own, 'US', 'GB', 'DE'];
  return [...new Set(all)].slice(0, 4);
}
