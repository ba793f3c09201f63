import type { ToolRequest } from '../../../domain/agent-tools/request.ts';
import type { CredentialHeaders } from '../../identity/index.ts';
import type { CustomerHttpOutcome, CustomerHttpPort } from '../../../providers/http/port.ts';

/**
 * A tool's answer to the model (contract 15.1). `truncated`: `data` is only the beginning of the answer, or
 * empty.
 */
export type ToolAnswer =
  | { status: 'success'; status_code: number; data: unknown; truncated?: true }
  | { status: 'error'; status_code: number | null; error: string };

const maxAnswerBytes = 64 * 1024;
/** Maximum number of characters of an answer for the model. */
const maxDataCharacters = 16_000;
const shownErrorCharacters = 500;

interface Sending {
  http: CustomerHttpPort;
  request: ToolRequest;
  credential: CredentialHeaders;
  signal?: AbortSignal | undefined;
}

/**
 * Sends the request of an HTTP tool once. Every outcome is a value; only an aborted `signal` throws, with its
 * reason.
 */
export async function sendToolRequest({
  http,
  request,
  credential,
  signal,
}: Sending): Promise<CustomerHttpOutcome> {
  if (credential.kind === 'refused') return credential;
  const { method, url, body, timeoutMs } = request;
  const outcome = await http.request({
    method,
    url,
    headers: sentHeaders(request, credential.headers),
    body,
    timeoutMs,
    maxResponseBytes: maxAnswerBytes,
    signal,
  });
  if (outcome.kind === 'failed' && outcome.reason === 'aborted') signal?.throwIfAborted();
  return outcome;
}

/** The tool's own headers and those of its credential, which take precedence. */
export function sentHeaders(
  { headers }: Pick<ToolRequest, 'headers'>,
  credentialHeaders: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaced = new Set(Object.keys(credentialHeaders).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  const given = new Map(kept.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  return { ...Object.fromEntries(given.values()), ...credentialHeaders };
}

/**
 * The answer for the model. A 2xx status means success even with an incomplete answer, because the request
 * was carried out.
 */
export function toToolAnswer(outcome: CustomerHttpOutcome): ToolAnswer {
  if (outcome.kind !== 'answered') return { status: 'error', status_code: null, error: outcome.message };
  const { statusCode, bodyText } = outcome;
  if (statusCode < 200 || statusCode > 299) {
    const said = bodyText.trim().slice(0, shownErrorCharacters);
    return {
      status: 'error',
      status_code: statusCode,
      error: `the endpoint answered ${statusCode}${said === '' ? '' : `: ${said}`}`,
    };
  }
  const isWhole = !outcome.truncated && bodyText.length <= maxDataCharacters;
  return {
    status: 'success',
    status_code: statusCode,
    data: dataOf(bodyText, isWhole),
    ...(isWhole ? {} : { truncated: true }),
  };
}

/** The parsed JSON of a whole answer, else the text or its beginning. */
function dataOf(text: string, isWhole: boolean): unknown {
  if (!isWhole) return text.slice(0, maxDataCharacters);
  try {
    return JSON.parse(text);
  } catch {
    return text; // an answer may be plain text
  }
}
