/**
 * The carriers that an organization may connect, with the fields of their credentials and the steps of their
 * setup (contract 12.1). Plain data. src/providers/carrier/registry.ts says which of them this installation
 * speaks with.
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

/** One step of the setup checklist of a carrier. */
export interface SetupRule {
  key: string;
  title: string;
  description: string;
  /** The stored field that decides; complete when it is a text, or, with `unlessFalse`, anything but false. */
  field: string;
  isComplete: 'whenPresent' | 'unlessFalse';
  /** Completes "… is not ready for outbound calls: " while the step is not complete; null when it may wait. */
  blocks: string | null;
}

export interface Carrier {
  displayName: string;
  docsUrl: string;
  /** By the names of the wire, in the order in which editors show them. */
  fields: Readonly<Record<string, CredentialField>>;
  /** In the order of the checklist. */
  setup?: readonly SetupRule[];
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

export const carriers = {
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
    setup: [
      {
        key: 'connection_id',
        title: 'Application',
        description: 'A Call Control application of the account: made by the service when none is named.',
        field: 'connection_id',
        isComplete: 'whenPresent',
        blocks: 'it has no Call Control application',
      },
      {
        key: 'webhook_public_key',
        title: 'Public key',
        description:
          'The carrier signs its events. Without its public key none is believed, and a call would never go on.',
        field: 'webhook_public_key',
        isComplete: 'whenPresent',
        // guarantee: nothing-dialed-connection-carrier
        blocks: "the public key for the carrier's events is missing",
      },
      {
        key: 'outbound_profile',
        title: 'Outbound voice profile',
        description:
          'The application needs one to dial out, assigned at the carrier. Looked at when the key or the application was saved last.',
        field: 'has_outbound_profile',
        isComplete: 'unlessFalse',
        blocks: null,
      },
    ],
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
} as const satisfies Record<string, Carrier>;
