/** What an organization allows its campaigns together. An absent value = the installation's default. */
export interface DialPolicy {
  /** Lines that campaigns leave to incoming calls and to calls by request. */
  reservedLines?: number;
  /** For all campaigns of the organization together (contract 11.6: 1). */
  startsPerSecond?: number;
  /** Dials of one number, across campaigns; null = unlimited. */
  caps?: { perHour: number | null; perDay: number | null; perWeek: number | null };
  /** Hours outside which no campaign dials, in the contact's zone: days from 0 = Monday, `HH:MM`. */
  window?: { slots: { day: number; start: string; end: string }[] };
}
