/** Why somebody could not be handed over, as the model is told (contract 12.7). */
export type TransferFailure =
  | 'busy'
  | 'no_answer'
  | 'call_failed'
  | 'timeout'
  | 'no_destination'
  | 'provider_error'
  | 'provider_does_not_support_transfer'
  | 'conference_create_failed'
  | 'execution_error'
  | 'webrtc_not_supported'
  | 'resolver_timeout'
  | 'resolver_error'
  | 'resolver_invalid_response'
  | 'resolver_unknown';

const messages: Record<TransferFailure, string> = {
  busy: 'The destination is busy.',
  no_answer: 'Nobody answered at the destination.',
  call_failed: 'The call to the destination failed.',
  timeout: 'Nobody answered at the destination in time.',
  no_destination: 'There is no destination to transfer to.',
  provider_error: 'The telephone carrier could not make the transfer.',
  provider_does_not_support_transfer: 'This telephone carrier cannot transfer calls.',
  conference_create_failed: 'The two calls could not be joined.',
  execution_error: 'The transfer could not be carried out.',
  webrtc_not_supported: 'A call in a browser cannot be transferred.',
  resolver_timeout: 'Where to transfer to was not answered in time.',
  resolver_error: 'Where to transfer to could not be found out.',
  resolver_invalid_response: 'The answer where to transfer to is not usable.',
  resolver_unknown: 'Where to transfer to was asked for and the answer was lost.',
};

/** What the model is told (contract 12.7), as JSON text. */
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
