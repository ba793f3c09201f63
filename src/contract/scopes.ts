/**
 * The scopes of API keys. A key without scopes has all of them, like `admin`. No other scope includes another
 * one: a key that may only start calls reads no conversation. In a text session that it started itself it gets
 * the new turn, and other sessions do not exist for it.
 */
export const scopes = ['read', 'agents:write', 'calls:trigger', 'webhooks:replay', 'admin'] as const;
export type Scope = (typeof scopes)[number];
