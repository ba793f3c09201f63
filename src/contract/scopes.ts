/**
 * The scopes of API keys. A key without scopes has all of them, like `admin`. No other scope includes another
 * one: a key that may start calls cannot read their transcripts.
 */
export const scopes = ['read', 'agents:write', 'calls:trigger', 'webhooks:replay', 'admin'] as const;
export type Scope = (typeof scopes)[number];
