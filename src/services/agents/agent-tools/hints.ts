import type { CustomerHttpOutcome, FailureReason, RefusalReason } from '../../../providers/http/port.ts';

/** What to fix when there was no answer. */
const byReason = {
  url_invalid: 'Check the URL of the tool: with these values it is not valid.',
  url_too_long: 'Shorten the URL, or send long values in the body of a POST.',
  scheme_not_allowed: 'Use an address that begins with https://.',
  credentials_in_url: 'Remove user name and password from the URL and give the tool a credential.',
  credential_not_for_host:
    'Use a credential whose allowed_hosts have the host and port of the URL, or send its data again with this host.',
  port_not_allowed: 'Use port 443, 80 or 8443, or ask the operator of this service to allow the host.',
  address_not_allowed:
    'Use a host with a public address, or ask the operator of this service to allow a private one.',
  header_not_allowed: 'Change or remove that header, in the tool or in its credential.',
  method_not_allowed: 'Use GET, POST, PUT, PATCH or DELETE.',
  timeout:
    'Make the endpoint answer faster, or raise timeout_ms of the tool; the maximum is 15 s, because the caller waits.',
  connect_timeout: 'Check that the host is up and that its firewall lets this service in.',
  dns: 'Check the host in the URL: its name has no address.',
  tls: 'Check the certificate of the endpoint: it must be valid for the host in the URL and come with its chain.',
  network:
    'Check that the endpoint is up, listens on the port in the URL, and does not close the connection before it has answered.',
  answer_invalid: 'Check that the URL leads to an HTTP server, and that the headers of its answer are short.',
  aborted: 'Try again.',
} satisfies Record<FailureReason | RefusalReason, string>;

/** What to fix after a status; `byClass` has the hints for all others. */
const byStatus: Readonly<Record<number, string>> = {
  400: 'Compare the parameters of the tool with what the endpoint expects.',
  401: 'Check the credential of the tool: the endpoint did not accept it. A deleted credential is not sent.',
  403: 'Check what the credential of the tool is allowed to do.',
  404: 'Check the path of the URL, and that the endpoint knows this method.',
  405: 'Check the method of the tool: the endpoint does not accept it at this URL.',
  408: 'The endpoint timed out. Check what it waits for.',
  410: 'The endpoint is gone. Check the URL.',
  413: 'Send less: the endpoint does not accept a body of this size.',
  415: 'Check the Content-Type header: the tool sends JSON.',
  422: 'Compare the parameters and their types with what the endpoint expects.',
  429: 'The endpoint gets too many requests. Wait, then try again.',
};

/**
 * Says what to fix after a test of a tool; null when there is nothing. `isReadable` is false for an answer
 * that is not JSON, `isWhole` for one that was cut off.
 */
export function hintFor(
  outcome: CustomerHttpOutcome,
  { isReadable, isWhole }: { isReadable: boolean; isWhole: boolean },
): string | null {
  if (outcome.kind !== 'answered') return byReason[outcome.reason];
  const { statusCode } = outcome;
  if (statusCode < 200 || statusCode > 299) return byStatus[statusCode] ?? byClass(statusCode);
  if (!isWhole)
    return 'Make the answer of the endpoint shorter, uncompressed and complete: in a call the model only gets what is shown here.';
  return isReadable
    ? null
    : 'Make the endpoint answer with JSON: in a call the model gets this text unchanged.';
}

function byClass(statusCode: number): string {
  if (statusCode < 400) return 'Redirects are not followed: use the address that the endpoint redirects to.';
  return statusCode < 500
    ? 'The endpoint refused the request. Compare it with what the endpoint expects.'
    : 'The endpoint itself failed. Look at its logs.';
}
