/** What an organization allows its campaigns. Absent = the installation's default. */
export interface DialPolicy {
  /** Lines that campaigns leave to incoming calls and to calls by requests. */
  reservedLines?: number;
  /** Of all its campaigns together (contract 11.6: 1). */
  startsPerSecond?: number;
  /** Dials of one number, across campaigns; null = as many as there are. */
  caps?: { perHour: number | null; perDay: number | null; perWeek: number | null };
  /**
   * Hours outside of which no campaign dials anybody, in the contact's zone: days from 0 = Monday, `HH:MM`.
   */
  window?: { slots: { day: number; start: string; end: string }[] };
}
