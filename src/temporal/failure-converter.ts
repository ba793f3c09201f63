import { DefaultFailureConverter } from '@temporalio/common';

/**
 * How failures are written when payloads are encrypted: message and stack go into a payload, which the codec
 * encrypts; what is left to read in clear is that there was a failure, and its type. A worker and the bundle
 * of its Workflows load it by its path.
 */
// guarantee: payload-key-temporal-keeps
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
