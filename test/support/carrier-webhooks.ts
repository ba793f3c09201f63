import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { randomIds } from '../../src/runtime/ids.ts';

/** A carrier that signs its webhooks like Telnyx (contract 12.4). */
export interface SigningCarrier {
  /** Base64 of the 32-byte key. */
  publicKey: string;
  headers: (raw: string | Buffer, options?: { at?: Date }) => Record<string, string>;
}

export function createSigningCarrier(): SigningCarrier {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return {
    publicKey: der.subarray(-32).toString('base64'),
    headers: (raw, { at = new Date() } = {}) => signed(privateKey, Buffer.from(raw), at),
  };
}

function signed(key: KeyObject, raw: Buffer, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'telnyx-timestamp': timestamp,
    'telnyx-signature-ed25519': sign(null, Buffer.concat([Buffer.from(`${timestamp}|`), raw]), key).toString(
      'base64',
    ),
  };
}

export interface EventParts {
  type: string;
  id?: string;
  payload?: Record<string, unknown>;
}

/** The body of an event. */
export function carrierEventBody({ type, id = randomIds.uuid(), payload = {} }: EventParts): string {
  return JSON.stringify({
    data: {
      record_type: 'event',
      event_type: type,
      id,
      occurred_at: new Date().toISOString(),
      payload: { call_control_id: 'v3:leg', call_leg_id: 'leg', call_session_id: 'line', ...payload },
    },
    meta: { attempt: 1 },
  });
}
