/**
 * The scopes of API keys and of roles. A key without scopes has all of them, like `admin`. No other scope
 * includes another one: a key that may only start calls reads no conversation. In a text session that it
 * started itself it gets the new turn, and other sessions do not exist for it.
 *
 * - `people:read` decides whether numbers, words and values are shown: without it, the fields that are marked
 *   `personal` are masked, and the routes that consist of them are refused.
 * - `dialing:stop` is for people who watch: they stop, but start nothing.
 * - `keys:write` makes and ends API keys, but only those whose scopes the caller holds.
 * - `account:write` is for what people do with their own account: password, sessions, memberships.
 */
export const scopes = [
  'read',
  'people:read',
  'agents:write',
  'calls:trigger',
  'dialing:stop',
  'webhooks:replay',
  'keys:write',
  'account:write',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

/** What a person is in an organization. */
export const roles = ['owner', 'builder', 'campaign_manager', 'operator', 'analyst'] as const;
export type Role = (typeof roles)[number];
