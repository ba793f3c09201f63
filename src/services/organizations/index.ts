export { createOrganization } from './create.ts';
export { getOrganizationContext } from './get-context.ts';
export {
  changePreferences,
  changePreferencesWithin,
  getPreferences,
  getPreferencesWithin,
} from './preferences.ts';
