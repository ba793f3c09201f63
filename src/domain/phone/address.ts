import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * What a number of the platform is: a public one, an address of SIP, or an extension of an own PBX (contract
 * 12.2).
 */
export type AddressType = 'pstn' | 'sip_uri' | 'sip_extension';

export type ReadAddress =
  /** `normalized` is E.164 for a public number. */
  | { kind: 'read'; type: AddressType; normalized: string }
  /** A national number, and nothing says of which country. */
  | { kind: 'country_needed' }
  /** No number of that country, or nothing that can be called at all. */
  | { kind: 'unreadable' };

const separators = /[\s\-.()]/g;
const extension = /^\+?\d{1,6}$/;
const international = /^\+[1-9]\d{6,14}$/;
/**
 * So many digits without `+` are read as with it: no plan of numbers has national ones of that length without
 * a prefix.
 */
const bareInternational = /^[1-9]\d{10,14}$/;
const national = /^\d{7,15}$/;
const sipAddress = /^(sips?):([^\s@]+)@(\[[^\]\s]+\]|[^\s@:;?]+)(?::\d+)?(?:[;?].*)?$/i;

/**
 * A number as somebody typed it, as it is compared and called (contract 12.2): separators do not count, a
 * leading `00` is a `+`, a national number becomes E.164 by its country (two letters, any case). An extension
 * stays as it is; of a SIP address the port and parameters go, and its host is in small letters.
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
  return bareInternational.test(compact)
    ? { kind: 'read', type: 'pstn', normalized: `+${compact}` }
    : { kind: 'country_needed' };
}

function inCountry(digits: string, country: string): ReadAddress {
  if (!isSupportedCountry(country)) return { kind: 'unreadable' };
  // Germany's +49 151 … without its plus would be a national number of Germany as well, which nobody writes
  // without its 0.
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
