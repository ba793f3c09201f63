import {
  isSupportedCountry,
  parsePhoneNumberFromString,
  type NumberType,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { isEmergency } from '../phone/emergency.ts';

/**
 * Decides what an organization dials (contract 5.7). Every way to dial asks here twice: when a person asks
 * for the dial, and directly before it.
 */
export interface DialRule {
  /** ISO 3166-1 alpha-2; null = numbers of all countries. */
  countries: readonly string[] | null;
  /** Premium-rate and other special numbers are dialed. */
  allowsSpecialNumbers: boolean;
  /** Hosts of `sip:` addresses that are dialed, in lower case. */
  sipHosts: readonly string[];
}

/** Why a destination is not dialed. */
export type DialFault =
  | 'emergency_number'
  | 'special_number'
  | 'country_not_allowed'
  | 'sip_host_not_allowed';

/** For people: completes “this number is not dialed: ”. Each names what allows it. */
export const dialFaultWords = {
  emergency_number: 'it is an emergency number',
  special_number:
    'it is a premium-rate, shared-cost or another special number; allow_special_numbers of PUT /organizations/dial-policy allows them',
  country_not_allowed: 'its country is not among allowed_countries of PUT /organizations/dial-policy',
  sip_host_not_allowed:
    'the host of the SIP address is not among allowed_sip_hosts of PUT /organizations/dial-policy',
} as const satisfies Record<DialFault, string>;

/**
 * Why the organization does not dial this destination; null if it does. The destination is `+` and digits, a
 * `sip:` address, or an extension of a PBX, as `readDialed` and `readDestination` answer them.
 */
export function dialFault(destination: string, rule: DialRule): DialFault | null {
  if (/^sips?:/i.test(destination)) return sipFault(destination, rule);
  // guarantee: emergency-number-never-dialed
  if (isEmergencyExtension(destination)) return 'emergency_number';
  return destination.startsWith('+') ? numberFault(destination, rule) : null;
}

/** Types of numbers that cost the caller more than a call, or that are resold. Toll-free numbers are not. */
const specialTypes: readonly (NumberType | undefined)[] = [
  'PREMIUM_RATE',
  'SHARED_COST',
  'UAN',
  'PERSONAL_NUMBER',
  'PAGER',
  'VOICEMAIL',
];

/** The country code of international toll-free numbers. Others without a country are satellites and services. */
const tollFreeCode = '800';
/**
 * A number that no plan assigns and that has no more digits after its country code is a service number. North
 * America has none of six digits, and contract 5.4 dials `1234567`.
 */
const maxShortDigits = 6;
const northAmerica = '1';

function numberFault(number: string, { countries, allowsSpecialNumbers }: DialRule): DialFault | null {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  if (parsed === undefined) return allowsSpecialNumbers ? unreadFault(countries) : 'special_number';
  const national = parsed.nationalNumber.replace(/^0+/, '');
  if (!parsed.isValid() && isEmergency(national)) return 'emergency_number';
  // guarantee: special-number-needs-the-switch
  if (!allowsSpecialNumbers && isSpecial(parsed)) return 'special_number';
  // guarantee: foreign-country-not-dialed
  return countries === null || isOf(parsed, countries) ? null : 'country_not_allowed';
}

/** A number of no country that is known. */
const unreadFault = (countries: DialRule['countries']): DialFault | null =>
  countries === null ? null : 'country_not_allowed';

function isSpecial(parsed: PhoneNumber): boolean {
  if (specialTypes.includes(parsed.getType())) return true;
  if (parsed.isNonGeographic()) return parsed.countryCallingCode !== tollFreeCode;
  if (parsed.isValid()) return false;
  const isShort =
    parsed.nationalNumber.length <= maxShortDigits && parsed.countryCallingCode !== northAmerica;
  return isShort || beginsWithSpecial(parsed.number);
}

/** Networks ignore digits after a complete number, so those must not hide one that is special. */
function beginsWithSpecial(number: string): boolean {
  for (let length = number.length - 1; length > maxShortDigits; length -= 1) {
    const type = parsePhoneNumberFromString(number.slice(0, length), { extract: false })?.getType();
    if (type !== undefined) return specialTypes.includes(type);
  }
  return false;
}

/** A number that may belong to several countries is of none but all of them. */
function isOf(parsed: PhoneNumber, countries: readonly string[]): boolean {
  if (parsed.country !== undefined) return countries.includes(parsed.country);
  const possible = parsed.getPossibleCountries();
  return possible.length > 0 && possible.every((each) => countries.includes(each));
}

/** `user@host`, with an optional port and parameters that do not change where the call goes. */
const sipAddress =
  /^sips?:([^\s@]+)@(\[[^\]\s]+\]|[^\s@:;?,]+)(?::\d+)?(?:;(?:transport=[a-z]+|user=phone))*$/i;

function sipFault(address: string, rule: DialRule): DialFault | null {
  const [, user = '', host = ''] = sipAddress.exec(address) ?? [];
  const called = decoded(user).replace(/[;:].*$/, '');
  const digits = called.replaceAll(/[\s\-.()]/g, '').replace(/^00/, '+');
  if (isEmergencyExtension(digits)) return 'emergency_number';
  // guarantee: foreign-sip-host-not-dialed
  if (!rule.sipHosts.includes(host.toLowerCase())) return 'sip_host_not_allowed';
  return /^\+\d+$/.test(digits) ? numberFault(digits, rule) : null;
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user; // not percent-encoded
  }
}

/** Emergency numbers that telephone systems know, also behind the digit for an outside line. */
function isEmergencyExtension(digits: string): boolean {
  return /^\+?[09]?(?:000|110|112|911|999)$/.test(digits);
}

/** Whether a code is that of a country whose numbers can be told. */
export const hasNumbers = (country: string): boolean => isSupportedCountry(country);

/** What an organization has used on a day of its own time zone. */
export interface DayUse {
  /** Dials of calls and of transfers. */
  dials: number;
  /** Seconds of spoken calls that have ended. */
  talkedSeconds: number;
  /** Requests to the installation's language model. */
  modelRequests: number;
}

/** Maxima of an organization per day. Null = none applies. */
export interface DayLimits {
  calls: number;
  callMinutes: number;
  /** Of the installation's language model; null for an organization with its own. */
  modelRequests: number | null;
  /** Of the installation's voices and recognition; null for an organization with its own. */
  voiceMinutes: number | null;
}

/** The maximum that is reached. */
export interface ReachedLimit {
  limit: keyof DayLimits;
  max: number;
}

/** The first maximum of the day that is reached; null if none is. */
export function reachedLimit(use: DayUse, limits: DayLimits): ReachedLimit | null {
  const minutes = use.talkedSeconds / 60;
  const used = {
    calls: use.dials,
    callMinutes: minutes,
    modelRequests: use.modelRequests,
    voiceMinutes: minutes,
  };
  for (const limit of ['calls', 'callMinutes', 'modelRequests', 'voiceMinutes'] as const) {
    const max = limits[limit];
    // guarantee: daily-limit-stops-dials
    if (max !== null && used[limit] >= max) return { limit, max };
  }
  return null;
}

const limitNames = {
  calls: 'calls per day (max_calls_per_day of GET /organizations/dial-policy)',
  callMinutes: 'minutes of calls per day (max_call_minutes_per_day of GET /organizations/dial-policy)',
  modelRequests: "requests per day to the installation's language model; an own key has no such limit",
  voiceMinutes: "minutes per day with the installation's voices; own keys have no such limit",
} as const satisfies Record<keyof DayLimits, string>;

/** For people. The time is written so that it does not read as a phone number, which would be masked. */
export function reachedWords({ limit, max }: ReachedLimit, until: Date): string {
  const [, day, month, year, time] = /, 0?(\d+) (\w+) (\d+) (\d+:\d+)/.exec(until.toUTCString()) ?? [];
  return `Daily limit reached: ${max} ${limitNames[limit]}. It ends at ${time} UTC on ${day} ${month} ${year}`;
}
