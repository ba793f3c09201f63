/** What a row is after the import. Campaigns call only `ok` rows. Blank rows are counted, not stored. */
export type ContactState = 'ok' | 'invalid' | 'duplicate' | 'no_phone' | 'suppressed' | 'do_not_call';
