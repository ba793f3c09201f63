import {
  carriers,
  type Carrier,
  type CredentialField,
  type SetupRule,
} from '../../contract/data/carriers.ts';

export type TelephonyProviderName = keyof typeof carriers;

export const telephonyProviderNames: readonly TelephonyProviderName[] =
  Object.keys(carriers).filter(isTelephonyProvider);

export function isTelephonyProvider(name: unknown): name is TelephonyProviderName {
  return typeof name === 'string' && Object.hasOwn(carriers, name);
}

export function telephonyProvider(name: TelephonyProviderName): Carrier {
  return carriers[name];
}

/** As people call it; an unknown provider by the name that is stored. */
export function displayNameOf(provider: string): string {
  return isTelephonyProvider(provider) ? telephonyProvider(provider).displayName : provider;
}

/** The fields of a stored provider's credentials: of an unknown provider, none. */
export function credentialFields(provider: string): Readonly<Record<string, CredentialField>> {
  return isTelephonyProvider(provider) ? telephonyProvider(provider).fields : {};
}

/** What has to be set up at a provider beside the credentials that it requires. */
export function setupRules(provider: string): readonly SetupRule[] {
  return isTelephonyProvider(provider) ? (telephonyProvider(provider).setup ?? []) : [];
}
