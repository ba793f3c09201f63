import type { CustomerHttpOutcome, FailureReason, RefusalReason } from '../../../providers/http/port.ts';

/** What to mend when no answer came. */
const byReason = {
  url_invalid: 'Check the URL of the tool: with these values it is no address.',
  url_too_long: 'Shorten the URL, or send long values in the body of a POST.',
  scheme_not_allowed: 'Use an address that begins with https://.',
  credentials_in_url: 'Take user name and password out of the URL and give the tool a credential.',
  port_not_allowed: 'Use port 443, 80 or 8443, or ask the operator of this service to allow the host.',
  address_not_allowed:
    'Use a host with a public address, or ask the operator of this service to allow a private one.',
  header_not_allowed: 'Change or remove that header, in the tool or in its credential.',
  method_not_allowed: 'Use GET, POST, PUT, PATCH or DELETE.',
  timeout:
    'Make the endpoint answer sooner, or raise timeout_ms of the tool; the caller waits meanwhile, so 15 s are the most.',
  connect_timeout: 'Check that the host is up and that its firewall lets this service in.',
  dns: 'Check the host in the URL: it has no address.',
  tls: 'Check the certificate of the endpoint: it must be valid for the host in the URL and come with its chain.',
  network:
    'Check that the endpoint is up, listens on the port in the URL, and does not close the connection before it has answered.',
  answer_invalid: 'Check that the URL leads to an HTTP server, and that the headers of its answer are short.',
  aborted: 'Try again.',
} satisfies Record<FailureReason | RefusalReason, string>;

/** What to mend after a status; the others are said by `byClass`. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'Compare the parameters of the tool with what the endpoint expects.',
  401: 'Check the credential of the tool: the endpoint did not accept who is asking. One that was deleted is not sent.',
  403: 'Check what the credential of the tool is allowed to do.',
  404: 'Check the path of the URL, and that the endpoint knows this method.',
  405: 'Check the method of the tool: the endpoint does not take it at this URL.',
  408: 'The endpoint ran out of time. Check what it waits for.',
  410: 'The endpoint is gone. Check the URL.',
  413: 'Send less: the endpoint does not take a body of this size.',
  415: 'Check the Content-Type header: the tool sends JSON.',
  422: 'Compare the parameters and their types with what the endpoint expects.',
  429: 'The endpoint is asked too often. Wait, then try again.',
};

/**
 * Tells what to mend after a test of a tool; null when there is nothing. `isReadable` is false for an answer
 * that is not JSON, `isWhole` for one that was cut.
 */
export function hintFor(
  outcome: CustomerHttpOutcome,
  { isReadable, isWhole }: { isReadable: boolean; isWhole: boolean },
): string | null {
  if (outcome.kind !== 'answered') return byReason[outcome.reason];
  const { statusCode } = outcome;
  if (statusCode < 200 || statusCode > 299) return byStatus[statusCode] ?? byClass(statusCode);
  if (!isWhole)
    return 'Make the endpoint answer less, uncompressed and in one go: in a call the model is given only what is shown here.';
  return isReadable
    ? null
    : 'Make the endpoint answer JSON: in a call the model is given this text as it is.';
}

function byClass(statusCode: number): string {
  if (statusCode < 400) return 'Redirects are not followed: use the address that the endpoint redirects to.';
  return statusCode < 500
    ? 'The endpoint refused the request. Compare it with what the endpoint expects.'
    : 'The endpoint itself failed. Look at its logs.';
}
