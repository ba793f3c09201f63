/**
 * What an organization lets be dialed: in every way, and by its campaigns together. An absent value = the
 * installation's default.
 */
export interface DialPolicy {
  /** Lines that campaigns leave to incoming calls and to calls by request. */
  reservedLines?: number;
  /** For all campaigns of the organization together (contract 11.6: 1). */
  startsPerSecond?: number;
  /** Dials of one number, across campaigns; null = unlimited. */
  caps?: { perHour: number | null; perDay: number | null; perWeek: number | null };
  /** Hours outside which no campaign dials, in the contact's zone: days from 0 = Monday, `HH:MM`. */
  window?: { slots: { day: number; start: string; end: string }[] };
  /** Countries whose numbers are dialed in any way (src/domain/telephony/dial-rule.ts); absent = all. */
  countries?: string[];
  /** Absent = premium-rate and other special numbers are not dialed. */
  allowsSpecialNumbers?: boolean;
  /** Hosts of `sip:` addresses that are dialed, in lower case; absent = none. */
  sipHosts?: string[];
  /** Dials per day in the organization's time zone, of calls and of transfers. */
  maxCallsPerDay?: number;
  /** Minutes of spoken calls per day; further calls are not dialed then. */
  maxCallMinutesPerDay?: number;
}
