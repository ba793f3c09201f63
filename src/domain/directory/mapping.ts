/**
 * What of a contact file the service takes for itself (contract 11.4), and by what rules. Columns by their
 * name in the directory.
 */
export interface Mapping {
  phone: string;
  /** Exposed as `ext_customer_id` alone. */
  identifier: string | null;
  /** IANA zone of the contact. */
  timeZone: string | null;
  /** Rows with a yes in it are not dialed. */
  doNotCall: string | null;
  /** A whole number; higher is dialed earlier. */
  priority: string | null;
  /**
   * `greeting_override_type`, `…_text` and `…_recording_id` of contract 11.4, by the names that they have in
   * the file.
   */
  openingLine: { type: string; text: string | null; recordingId: string | null } | null;
  /** Columns that become no variable. */
  skipped: string[];
  /** ISO 3166-1 alpha-2: of numbers without country code; null = they must have one. */
  defaultCountry: string | null;
  /** Of rows with the same number: the first, the last, or all are kept. */
  duplicates: 'first' | 'last' | 'all';
}
