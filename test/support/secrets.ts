import { createSecretBox } from '../../src/providers/secrets/aes-gcm.ts';
import type { SecretBox } from '../../src/providers/secrets/port.ts';

/** One key ring for all tests. */
export const testKeyRing = `test:${Buffer.alloc(32, 7).toString('base64')}`;
export const testSecrets: SecretBox = createSecretBox(testKeyRing);
