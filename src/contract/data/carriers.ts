/**
 * The carriers that an organization may connect, with the fields of their credentials and the steps of their
 * setup (contract 12.1). Plain data. src/providers/carrier/registry.ts lists the carriers that this
 * installation can dial with.
 */

export interface CredentialField {
  label: string;
  type: 'text' | 'password' | 'textarea' | 'boolean' | 'json';
  isRequired: boolean;
  /** Whether answers mask the value. */
  isSecret: boolean;
  /** Decides who gets the secrets of the account. */
  isAddress?: true;
  description: string;
  placeholder: string | null;
}

/** One step of the setup checklist of a carrier. */
export interface SetupRule {
  key: string;
  title: string;
  description: string;
  /** The stored field that decides whether the step is complete. */
  field: string;
  /** `whenPresent`: complete when the field holds a text. `unlessFalse`: complete unless it is false. */
  isComplete: 'whenPresent' | 'unlessFalse';
  /**
   * Ends the text "… is not ready for outbound calls: " while the step is incomplete. Null if it is optional.
   */
  blocks: string | null;
}

export interface Carrier {
  displayName: string;
  docsUrl: string;
  /** By wire name, in the order in which editors show them. */
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
  auth_id: needed('Auth ID', 'Id of the account.'),
  auth_token: secret('Auth token', 'Secret of the account.'),
  application_id: optional('Application ID', 'Id of the application that makes calls.'),
};

export const carriers = {
  ari: {
    displayName: 'Asterisk (ARI)',
    docsUrl: 'https://docs.asterisk.org/Configuration/Interfaces/Asterisk-REST-Interface-ARI/',
    fields: {
      ari_endpoint: {
        ...needed('ARI endpoint', 'URL of the PBX.', 'https://pbx.example.com:8089'),
        isAddress: true,
      },
      app_name: needed('Application', 'Name of the Stasis application.'),
      app_password: secret('Password', 'Password of the ARI user.'),
      ws_client_name: optional('WebSocket client', 'Name of the client in websocket_client.conf.'),
      external_pbx: {
        ...optional('External PBX', 'How calls are matched with a system behind the PBX.'),
        type: 'json',
      },
    },
  },
  cloudonix: {
    displayName: 'Cloudonix',
    docsUrl: 'https://developers.cloudonix.com/',
    fields: {
      bearer_token: secret('Bearer token', 'Token of the domain.'),
      domain_id: needed('Domain', 'Name or id of the domain.'),
      application_name: optional('Application', 'Name of the application that answers calls.'),
    },
  },
  plivo: { displayName: 'Plivo', docsUrl: 'https://www.plivo.com/docs/', fields: authPair },
  telnyx: {
    displayName: 'Telnyx',
    docsUrl: 'https://developers.telnyx.com/docs/voice/programmable-voice/get-started',
    fields: {
      api_key: secret('API key', 'API key of the account, from the portal under API keys.'),
      connection_id: optional(
        'Application ID',
        'Id of a Call Control application. If absent, the service creates one in the account.',
        '1494404757140276705',
      ),
      webhook_public_key: optional(
        'Public key',
        "Base64 of 32 bytes, from the portal under API keys, public key. Without it the service rejects the carrier's events and cannot make calls.",
      ),
    },
    setup: [
      {
        key: 'connection_id',
        title: 'Application',
        description: 'A Call Control application in the account. The service creates one if none is named.',
        field: 'connection_id',
        isComplete: 'whenPresent',
        blocks: 'it has no Call Control application',
      },
      {
        key: 'webhook_public_key',
        title: 'Public key',
        description:
          'The carrier signs its events. Without its public key the service rejects them, and calls cannot proceed.',
        field: 'webhook_public_key',
        isComplete: 'whenPresent',
        // guarantee: connection-needs-carrier-public-key
        blocks: "the public key for the carrier's events is missing",
      },
      {
        key: 'outbound_profile',
        title: 'Outbound voice profile',
        description:
          'The application needs an outbound voice profile, assigned at the carrier. Last checked when the key or the application was saved.',
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
      account_sid: needed('Account SID', 'Id of the account.', 'AC…'),
      auth_token: secret('Auth token', 'Secret of the account.'),
      amd_enabled: {
        ...optional('Answering machine detection', 'Whether the carrier detects answering machines.'),
        type: 'boolean',
      },
    },
  },
  vobiz: { displayName: 'Vobiz', docsUrl: 'https://www.docs.vobiz.ai/', fields: authPair },
  vonage: {
    displayName: 'Vonage',
    docsUrl: 'https://developer.vonage.com/en/voice/voice-api/overview',
    fields: {
      api_key: needed('API key', 'Id of the account.'),
      api_secret: secret('API secret', 'Secret of the account.'),
      application_id: needed('Application ID', 'Id of the application that makes calls.'),
      private_key: {
        ...secret('Private key', 'Private key of the application, in PEM format.'),
        type: 'textarea',
      },
      signature_secret: {
        ...secret('Signature secret', "Secret of the carrier's event signatures."),
        isRequired: false,
      },
    },
  },
} as const satisfies Record<string, Carrier>;
