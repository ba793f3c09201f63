import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

/** What the library would answer for a number of this form; null = the library must be asked. */
export type PlainVerdict = 'callable' | 'toll_free' | 'premium' | null;

/**
 * The library's verdict on plain digits with country code, from its own data and in a tenth of its time:
 * files have millions of such cells. It judges only numbers that are valid in the main country of their code
 * as written, without a prefix that the library might remove; for all others it answers null.
 * test/domain/phone/read-phone.test.ts compares both over every country code.
 */
export function judgePlain(digits: string): PlainVerdict {
  for (let length = 1; length <= 3; length += 1) {
    const plan = plans.get(digits.slice(0, length));
    if (plan !== undefined) return judgeBy(plan, digits.slice(length));
  }
  return null;
}

/**
 * The same for a national number of a country, as it is dialed; null if that country is not the main one of
 * its code.
 */
export function judgeNational(
  country: CountryCode,
  digits: string,
): { phone: string; verdict: PlainVerdict } | null {
  const callingCode = getCountryCallingCode(country, metadata);
  const plan = plans.get(callingCode);
  if (plan?.country !== country || plan.dialedAbroad.test(digits)) return null;
  return { phone: callingCode + digits, verdict: judgeBy(plan, digits) };
}

interface Plan {
  country: CountryCode;
  lengths: readonly number[];
  national: RegExp;
  /** What may be removed before a national number. */
  prefix: RegExp;
  /** Prefixes of international calls. */
  dialedAbroad: RegExp;
  types: readonly {
    verdict: Exclude<PlainVerdict, null>;
    lengths: readonly number[] | undefined;
    pattern: RegExp;
  }[];
}

function judgeBy({ lengths, national, prefix, types }: Plan, digits: string): PlainVerdict {
  if (!lengths.includes(digits.length) || prefix.test(digits) || !national.test(digits)) return null;
  return (
    types.find((type) => type.lengths?.includes(digits.length) !== false && type.pattern.test(digits))
      ?.verdict ?? null
  );
}

/** In the order in which the library checks them. */
const typeNames = [
  'FIXED_LINE',
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];

/** The parts of the library's metadata that its types leave out. */
interface CountryData {
  /** Absent values are 0 or undefined. */
  leadingDigits: () => unknown;
  possibleLengths: () => number[];
  nationalNumberPattern: () => string;
  nationalPrefixForParsing: () => unknown;
  IDDPrefix: () => unknown;
  type: (name: string) => { pattern: () => unknown; possibleLengths: () => number[] | undefined } | undefined;
}

const plans: ReadonlyMap<string, Plan> = new Map(
  mainCountries().flatMap(([callingCode, country]) => planOf(callingCode, country)),
);

/** If countries share a code, the first one is the main one. */
function mainCountries(): [string, CountryCode][] {
  const codes = new Set(getCountries(metadata).map((country) => getCountryCallingCode(country, metadata)));
  return [...codes].flatMap((code): [string, CountryCode][] => {
    const [main] = Object.entries(metadata.country_calling_codes).find(([each]) => each === code)?.[1] ?? [];
    return main === undefined ? [] : [[code, main]];
  });
}

function planOf(callingCode: string, country: CountryCode): [string, Plan][] {
  const data = dataOf(country);
  // A country that is identified by leading digits cannot be judged here.
  if (data === null || hasText(data.leadingDigits())) return [];
  const types = typeNames.flatMap((name) => {
    const type = data.type(name);
    const pattern = type?.pattern();
    return type === undefined || !hasText(pattern)
      ? []
      : [{ verdict: verdictOf(name), lengths: type.possibleLengths(), pattern: whole(pattern) }];
  });
  const plan = {
    country,
    lengths: data.possibleLengths(),
    national: whole(data.nationalNumberPattern()),
    prefix: beginning(data.nationalPrefixForParsing()),
    dialedAbroad: beginning(data.IDDPrefix()),
    types,
  };
  return [[callingCode, plan]];
}

/** The library's metadata of a country; null if the library no longer provides it. */
function dataOf(country: CountryCode): CountryData | null {
  const selected = new Metadata(metadata);
  selected.selectNumberingPlan(country);
  const plan: unknown = selected.numberingPlan;
  return isCountryData(plan) ? plan : null;
}

function isCountryData(plan: unknown): plan is CountryData {
  const needed: readonly (keyof CountryData)[] = [
    'leadingDigits',
    'possibleLengths',
    'nationalNumberPattern',
    'nationalPrefixForParsing',
    'IDDPrefix',
    'type',
  ];
  return (
    typeof plan === 'object' &&
    plan !== null &&
    needed.every((name) => typeof Reflect.get(plan, name) === 'function')
  );
}

function verdictOf(type: string): Exclude<PlainVerdict, null> {
  // guarantee: phone-validity-follows-library
  if (type === 'PREMIUM_RATE') return 'premium';
  return type === 'TOLL_FREE' ? 'toll_free' : 'callable';
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** A pattern for the beginning of a number. Without a pattern, it matches nothing. */
function beginning(pattern: unknown): RegExp {
  return hasText(pattern) ? new RegExp(`^(?:${pattern})`) : /(?!)/;
}

function hasText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
