export { createOrganization } from './create.ts';
export { getOrganizationContext } from './get-context.ts';
export { changePreferences, getPreferences } from './preferences.ts';
