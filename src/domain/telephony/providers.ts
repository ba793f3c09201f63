/**
 * The carriers that an organization may connect, with the fields of their credentials (contract 12.1). This
 * file is the only list of them: what editors show, what is a secret, what a connection needs. Which of them
 * this installation speaks is said elsewhere.
 */

export interface CredentialField {
  label: string;
  type: 'text' | 'password' | 'textarea' | 'boolean' | 'json';
  isRequired: boolean;
  /** Masked in answers. */
  isSecret: boolean;
  description: string;
  placeholder: string | null;
}

export interface TelephonyProvider {
  displayName: string;
  docsUrl: string;
  /** By the names of the wire, in the order in which editors show them. */
  fields: Readonly<Record<string, CredentialField>>;
}

const secret = (label: string, description: string): CredentialField => ({
  label,
  type: 'password',
  isRequired: true,
  isSecret: true,
  description,
  placeholder: null,
});
const needed = (label: string, description: string, placeholder: string | null = null): CredentialField => ({
  label,
  type: 'text',
  isRequired: true,
  isSecret: false,
  description,
  placeholder,
});
const optional = (
  label: string,
  description: string,
  placeholder: string | null = null,
): CredentialField => ({ ...needed(label, description, placeholder), isRequired: false });

const authPair = {
  auth_id: needed('Auth ID', 'Names the account.'),
  auth_token: secret('Auth token', 'Of the account.'),
  application_id: optional('Application ID', 'The application that calls come from.'),
};

export const telephonyProviders = {
  ari: {
    displayName: 'Asterisk (ARI)',
    docsUrl: 'https://docs.asterisk.org/Configuration/Interfaces/Asterisk-REST-Interface-ARI/',
    fields: {
      ari_endpoint: needed('ARI endpoint', 'Address of the own PBX.', 'https://pbx.example.com:8089'),
      app_name: needed('Application', 'Name of the Stasis application.'),
      app_password: secret('Password', 'Of the ARI user.'),
      ws_client_name: optional('WebSocket client', 'Name in websocket_client.conf.'),
      external_pbx: {
        ...optional('Foreign telephone system', 'How calls are matched with a system behind the PBX.'),
        type: 'json',
      },
    },
  },
  cloudonix: {
    displayName: 'Cloudonix',
    docsUrl: 'https://developers.cloudonix.com/',
    fields: {
      bearer_token: secret('Bearer token', 'Of the domain.'),
      domain_id: needed('Domain', 'Name or id of the domain.'),
      application_name: optional('Application', 'The application that answers calls.'),
    },
  },
  plivo: { displayName: 'Plivo', docsUrl: 'https://www.plivo.com/docs/', fields: authPair },
  telnyx: {
    displayName: 'Telnyx',
    docsUrl: 'https://developers.telnyx.com/docs/voice/programmable-voice/get-started',
    fields: {
      api_key: secret('API key', 'Of the account, from the portal under API keys.'),
      connection_id: optional(
        'Application ID',
        'Id of a Call Control application. Left out, one is made on the account.',
        '1494404757140276705',
      ),
      webhook_public_key: optional(
        'Public key',
        'Base64 of 32 bytes, from the portal under API keys, public key. Without it no event of the carrier is believed, so no call can be made.',
      ),
    },
  },
  twilio: {
    displayName: 'Twilio',
    docsUrl: 'https://www.twilio.com/docs/voice',
    fields: {
      account_sid: needed('Account SID', 'Names the account.', 'AC…'),
      auth_token: secret('Auth token', 'Of the account.'),
      amd_enabled: {
        ...optional('Answering machine detection', 'Whether the carrier listens for machines.'),
        type: 'boolean',
      },
    },
  },
  vobiz: { displayName: 'Vobiz', docsUrl: 'https://www.docs.vobiz.ai/', fields: authPair },
  vonage: {
    displayName: 'Vonage',
    docsUrl: 'https://developer.vonage.com/en/voice/voice-api/overview',
    fields: {
      api_key: needed('API key', 'Names the account.'),
      api_secret: secret('API secret', 'Of the account.'),
      application_id: needed('Application ID', 'The application that calls come from.'),
      private_key: { ...secret('Private key', 'Of the application, as PEM.'), type: 'textarea' },
      signature_secret: {
        ...secret('Signature secret', 'What the carrier signs its events with.'),
        isRequired: false,
      },
    },
  },
} as const satisfies Record<string, TelephonyProvider>;

export type TelephonyProviderName = keyof typeof telephonyProviders;

export const telephonyProviderNames: readonly TelephonyProviderName[] =
  Object.keys(telephonyProviders).filter(isTelephonyProvider);

export function isTelephonyProvider(name: unknown): name is TelephonyProviderName {
  return typeof name === 'string' && Object.hasOwn(telephonyProviders, name);
}

export function telephonyProvider(name: TelephonyProviderName): TelephonyProvider {
  return telephonyProviders[name];
}

/** The fields of a provider that somebody may have stored: of one that is not known, none. */
export function credentialFields(provider: string): Readonly<Record<string, CredentialField>> {
  return isTelephonyProvider(provider) ? telephonyProvider(provider).fields : {};
}
