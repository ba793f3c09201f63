/**
 * An entry of `allowed_destinations` of a transfer (contract 12.7): a number, the beginning of numbers, or a
 * SIP address whose user may be or end with `*`. The host of a SIP address is always written out.
 */
export const destinationPattern =
  /^(?:\+[1-9](?:\d{6,14}|\d{0,13}\*)|sips?:(?:\*|[\w.+-]+\*?)@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?)$/i;
