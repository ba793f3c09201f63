import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Converts failures when payloads are encrypted. Message and stack go into a payload, which the codec
 * encrypts; only the existence and the type of the failure stay readable. The worker and its Workflow bundle
 * load this file by path.
 */
// guarantee: temporal-payloads-encrypted
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
