import { z } from 'zod';
import { lax, read, refuse, type Reading, type Refusal } from './fault.ts';
import { trimmed } from './text.ts';

const maxCharacters = 2048;
const maxOfAddress = 254;
const maxOfDomain = 253;
const maxOfLabel = 63;
const pretty = /^[^<>]*<([^<>]*)>$/u;
const inLocalPart = /[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
const inDomain = /[\p{L}\p{M}\p{N}.-]/u;
const reservedNames = new Set(['arpa', 'invalid', 'local', 'localhost', 'onion', 'test']);

/** Faults of dots and hyphens, in the order in which they are checked. */
const misplacedInLocalPart = [
  [/^\./, 'An email address cannot start with a period.'],
  [/\.$/, 'An email address cannot have a period immediately before the @-sign.'],
  [/\.\./, 'An email address cannot have two periods in a row.'],
] as const;
const misplacedInDomain = [
  [/^\./, 'An email address cannot have a period immediately after the @-sign.'],
  [/\.$/, 'An email address cannot end with a period.'],
  [/\.\./, 'An email address cannot have two periods in a row.'],
  [/^-/, 'An email address cannot have a hyphen immediately after the @-sign.'],
  [/-$/, 'An email address cannot end with a hyphen.'],
  [/\.-|-\./, 'An email address cannot have a period and a hyphen next to each other.'],
  [
    /(?:^|\.)(?!xn)[^.]{2}--/i,
    'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.',
  ],
] as const;

const shown = (character: string): string => {
  if (character === ' ') return 'SPACE';
  if (character === '\\') return '"\\"';
  if (character === "'") return `"'"`;
  return /^[!-~]$/.test(character) || /\p{L}/u.test(character)
    ? `'${character}'`
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
};
const invalidCharacters = (part: string, known: RegExp): string =>
  [...new Set(Array.from(part).filter((each) => !known.test(each)))].toSorted().map(shown).join(', ');
const tooMany = (count: number): string => `(${count} character${count === 1 ? '' : 's'} too many)`;
const misplaced = (part: string, rules: readonly (readonly [RegExp, string])[]): string | undefined =>
  rules.find(([shape]) => shape.test(part))?.[1];

function faultOfLocalPart(part: string): string | undefined {
  if (part === '') return 'There must be something before the @-sign.';
  if (part.startsWith('"')) return 'Quoting the part before the @-sign is not allowed here.';
  const unknown = invalidCharacters(part, inLocalPart);
  if (unknown !== '') return `The email address contains invalid characters before the @-sign: ${unknown}.`;
  return misplaced(part, misplacedInLocalPart);
}

function faultOfDomain(domain: string): string | undefined {
  if (domain === '') return 'There must be something after the @-sign.';
  if (domain.startsWith('[') && domain.endsWith(']'))
    return 'A bracketed IP address after the @-sign is not allowed here.';
  const unknown = invalidCharacters(domain, inDomain);
  if (unknown !== '') return `The part after the @-sign contains invalid characters: ${unknown}.`;
  return misplaced(domain, misplacedInDomain) ?? faultOfLabels(domain, domain.split('.'));
}

function faultOfLabels(domain: string, labels: string[]): string | undefined {
  if (domain.length > maxOfDomain)
    return `The email address is too long after the @-sign ${tooMany(domain.length - maxOfDomain)}.`;
  const long = labels.find((label) => label.length > maxOfLabel);
  if (long !== undefined)
    return `After the @-sign, periods cannot be separated by so many characters ${tooMany(long.length - maxOfLabel)}.`;
  const last = labels.at(-1) ?? '';
  if (labels.length < 2) return 'The part after the @-sign is not valid. It should have a period.';
  if (!/\p{L}$/u.test(last))
    return 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
  return reservedNames.has(last.toLowerCase())
    ? 'The part after the @-sign is a special-use or reserved name that cannot be used with email.'
    : undefined;
}

const notAnAddress = (input: string, reason: string): Refusal =>
  refuse('value_error', `value is not a valid email address: ${reason}`, input, { reason });

function readEmail(value: unknown): Reading<string> {
  if (typeof value !== 'string') return refuse('string_type', 'Input should be a valid string', value);
  if (Array.from(value).length > maxCharacters)
    return notAnAddress(value, `Length must not exceed ${maxCharacters} characters`);
  if (/[\r\n]/.test(value))
    return notAnAddress(value, 'Carriage return and line feed characters are not allowed');
  const address = trimmed(pretty.exec(trimmed(value))?.[1] ?? value);
  const place = address.indexOf('@');
  if (place === -1) return notAnAddress(value, 'An email address must have an @-sign.');
  const [local, domain] = [address.slice(0, place), address.slice(place + 1)];
  const fault = faultOfLocalPart(local) ?? faultOfDomain(domain);
  if (fault !== undefined) return notAnAddress(value, fault);
  if (address.length > maxOfAddress)
    return notAnAddress(value, `The email address is too long ${tooMany(address.length - maxOfAddress)}.`);
  return read(`${local}@${domain.toLowerCase()}`.normalize('NFC'));
}

/**
 * An email address (contract 0.4, `value_error`), also in the form `Name <address>`. The domain is converted
 * to lower case. The reader does not check whether the address exists.
 */
export const email = () => lax(readEmail, z.string().meta({ format: 'email' }));
