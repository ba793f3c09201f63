/** Why a transfer failed, as the model sees it (contract 12.7). */
export type TransferFailure =
  | 'busy'
  | 'no_answer'
  | 'call_failed'
  | 'timeout'
  | 'no_destination'
  | 'destination_not_allowed'
  | 'daily_limit'
  | 'provider_error'
  | 'provider_does_not_support_transfer'
  | 'conference_create_failed'
  | 'execution_error'
  | 'webrtc_not_supported'
  | 'textchat_not_supported'
  | 'resolver_timeout'
  | 'resolver_error'
  | 'resolver_invalid_response'
  | 'resolver_unknown';

const messages: Record<TransferFailure, string> = {
  busy: 'The destination is busy.',
  no_answer: 'The destination did not answer.',
  call_failed: 'The call to the destination failed.',
  timeout: 'The destination did not answer in time.',
  no_destination: 'There is no destination to transfer to.',
  destination_not_allowed: 'Transfers to this destination are not allowed.',
  daily_limit: 'No further calls can be made today.',
  provider_error: 'The phone carrier could not make the transfer.',
  provider_does_not_support_transfer: 'This phone carrier cannot transfer calls.',
  conference_create_failed: 'The two calls could not be joined.',
  execution_error: 'The transfer could not be carried out.',
  webrtc_not_supported: 'A call in a browser cannot be transferred.',
  textchat_not_supported: 'A text conversation cannot be transferred.',
  resolver_timeout: 'The request for the destination timed out.',
  resolver_error: 'The request for the destination failed.',
  resolver_invalid_response: 'The answer to the request for the destination is not usable.',
  resolver_unknown: 'The answer to the request for the destination was lost.',
};

/** What the model is told when a transfer that a supervisor asked for has failed. */
export const failedTransferNote = (reason: TransferFailure): string =>
  `The caller was put on hold for a transfer, which failed: ${messages[reason]} Say so, and go on.`;

/** The result of a transfer for the model (contract 12.7), as JSON text. */
export function transferResult(
  outcome: { kind: 'connected' } | { kind: 'failed'; reason: TransferFailure },
): string {
  if (outcome.kind === 'connected')
    return JSON.stringify({ status: 'transfer_success', message: 'The caller has been transferred.' });
  return JSON.stringify({
    status: 'transfer_failed',
    reason: outcome.reason,
    message: messages[outcome.reason],
  });
}
