/** What became of a row: campaigns call `ok` ones alone. Blank rows are counted, not kept. */
export type ContactState = 'ok' | 'invalid' | 'duplicate' | 'no_phone' | 'suppressed' | 'do_not_call';
