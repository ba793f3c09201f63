import { scopes, type Role, type Scope } from '../../contract/data/scopes.ts';

/** Reads, with numbers, words and values, and has an account. */
const person = ['read', 'people:read', 'account:write'] as const;

/** What each role may do. Nothing but its scopes tells two roles apart, except that an owner has to stay. */
export const scopesOfRoles: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  builder: [...person, 'agents:write', 'calls:trigger', 'dialing:stop', 'webhooks:replay', 'keys:write'],
  campaign_manager: [...person, 'calls:trigger', 'dialing:stop'],
  operator: [...person, 'dialing:stop'],
  // guarantee: analyst-sees-masked
  analyst: ['read', 'account:write'],
};

/** The role that an owner gets who hands the ownership to somebody else. */
export const roleOfFormerOwner: Role = 'builder';
