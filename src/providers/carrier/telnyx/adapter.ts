import { credentialText } from '../../../domain/telephony/credentials.ts';
import type { CarrierAdapter } from '../port.ts';
import { createTelnyxAccounts } from './calls.ts';
import { readCarrierMessage } from './read-message.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** Telnyx: Call Control, with webhooks that are signed with an Ed25519 key. */
export const telnyx: CarrierAdapter = {
  accounts: ({ baseUrl }) => {
    const accountOf = createTelnyxAccounts({ baseUrl, simulated: baseUrl !== undefined });
    return (credentials) => accountOf(credentialText(credentials, 'api_key') ?? '');
  },
  webhooks: {
    verify: ({ credentials, ...webhook }) => {
      const publicKey = credentialText(credentials, 'webhook_public_key');
      return publicKey === null ? 'no_key' : verifyWebhook({ ...webhook, publicKey });
    },
    read: readCarrierMessage,
  },
};
