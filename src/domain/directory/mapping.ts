/**
 * Which columns of a contact file the service uses itself (contract 11.4), and the rules for them. Columns
 * are named as in the directory.
 */
export interface Mapping {
  phone: string;
  /** Exposed only as `ext_customer_id`. */
  identifier: string | null;
  /** IANA zone of the contact. */
  timeZone: string | null;
  /** Rows with a yes in this column are not dialed. */
  doNotCall: string | null;
  /** An integer; higher ones are dialed earlier. */
  priority: string | null;
  /**
   * Columns for `greeting_override_type`, `…_text` and `…_recording_id` of contract 11.4, by their names in
   * the file.
   */
  openingLine: { type: string; text: string | null; recordingId: string | null } | null;
  /** Columns that become no variable. */
  skipped: string[];
  /** ISO 3166-1 alpha-2: the country of numbers without country code; null = numbers must have one. */
  defaultCountry: string | null;
  /** Whether rows whose number no numbering plan assigns are called, with a warning, or left out. */
  unassigned: 'call' | 'leave_out';
  /** Which rows with the same number are kept: the first, the last or all. */
  duplicates: 'first' | 'last' | 'all';
}
