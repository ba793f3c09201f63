import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isValidPhoneNumber } from 'libphonenumber-js/max';

/**
 * The type of a number of the platform: public, a SIP address, or an extension of the customer's PBX
 * (contract 12.2).
 */
export type AddressType = 'pstn' | 'sip_uri' | 'sip_extension';

export type ReadAddress =
  /** `normalized` is E.164 for a public number. */
  | { kind: 'read'; type: AddressType; normalized: string }
  /** A national number without a known country. */
  | { kind: 'country_needed' }
  /** Not a number of that country, or not a number at all. */
  | { kind: 'unreadable' };

const separators = /[\s\-.()]/g;
const extension = /^\+?\d{1,6}$/;
const international = /^\+[1-9]\d{6,14}$/;
/** Digits of this length without `+` are read as if it were there, if they are then a number. */
const bareInternational = /^[1-9]\d{10,14}$/;
/** A number of North America, which is never written like this at home. */
const northAmerican = /^1[2-9]\d{9}$/;
const national = /^\d{7,15}$/;
const sipAddress = /^(sips?):([^\s@]+)@(\[[^\]\s]+\]|[^\s@:;?]+)(?::\d+)?(?:[;?].*)?$/i;

/**
 * Reads a typed number into the form that is compared and called (contract 12.2). Separators do not count, a
 * leading `00` is a `+`, and a national number becomes E.164 by its country (two letters, any case). An
 * extension stays as it is. A SIP address loses its port and parameters, and its host becomes lower case.
 */
export function readAddress(typed: string, countryCode: string | null): ReadAddress {
  const trimmed = typed.trim();
  const sip = sipAddress.exec(trimmed);
  if (sip !== null)
    return {
      kind: 'read',
      type: 'sip_uri',
      normalized: `${String(sip[1]).toLowerCase()}:${sip[2]}@${String(sip[3]).toLowerCase()}`,
    };
  const compact = trimmed.replaceAll(separators, '').replace(/^00/, '+');
  if (extension.test(compact)) return { kind: 'read', type: 'sip_extension', normalized: compact };
  if (international.test(compact)) return { kind: 'read', type: 'pstn', normalized: compact };
  if (!national.test(compact)) return { kind: 'unreadable' };
  if (countryCode !== null) return inCountry(compact, countryCode.toUpperCase());
  return isInternational(compact)
    ? { kind: 'read', type: 'pstn', normalized: `+${compact}` }
    : { kind: 'country_needed' };
}

/** Whether digits without `+` begin with a country code beyond doubt. */
function isInternational(digits: string): boolean {
  if (northAmerican.test(digits)) return true;
  return bareInternational.test(digits) && isValidPhoneNumber(`+${digits}`);
}

function inCountry(digits: string, country: string): ReadAddress {
  if (!isSupportedCountry(country)) return { kind: 'unreadable' };
  // Germany's +49 151 … without the plus is also a valid national number of Germany, but people write that
  // one with its leading 0.
  const withPlus = digits.startsWith(getCountryCallingCode(country))
    ? parsePhoneNumberFromString(`+${digits}`)
    : undefined;
  const found =
    withPlus?.isValid() === true && withPlus.country === country
      ? withPlus
      : parsePhoneNumberFromString(digits, country);
  return found?.isPossible() === true
    ? { kind: 'read', type: 'pstn', normalized: found.number }
    : { kind: 'unreadable' };
}
