/**
 * What an API key may be made for. A key without scopes may do everything, as `admin` does; no other scope
 * holds another one: a key that starts calls cannot read what was said in them.
 */
export const scopes = ['read', 'agents:write', 'calls:trigger', 'webhooks:replay', 'admin'] as const;
export type Scope = (typeof scopes)[number];
