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

/** The display name of a provider; for an unknown one, its stored name. */
export function displayNameOf(provider: string): string {
  return isTelephonyProvider(provider) ? telephonyProvider(provider).displayName : provider;
}

/** The credential fields of a provider; none for an unknown one. */
export function credentialFields(provider: string): Readonly<Record<string, CredentialField>> {
  return isTelephonyProvider(provider) ? telephonyProvider(provider).fields : {};
}

/** What has to be set up at a provider besides the required credentials. */
export function setupRules(provider: string): readonly SetupRule[] {
  return isTelephonyProvider(provider) ? (telephonyProvider(provider).setup ?? []) : [];
}
