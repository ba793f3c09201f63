import { errorOf, prefix, unanswered } from './api.ts';
import { session } from './session.ts';
import { t } from './words.ts';

/**
 * Sends a form with a file and tells how much of it has been sent, which `fetch` cannot. Answers the body of a
 * successful response. Throws ApiError, or the signal's reason. Browsers send a form again by themselves when its answer
 * is lost, and people send it again; the key makes that one upload.
 */
export async function upload<Body>(
  path: string,
  form: FormData,
  { onProgress, signal, key }: { onProgress: (share: number) => void; signal: AbortSignal; key: string },
): Promise<Body> {
  const response = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${prefix}${path}`);
    request.setRequestHeader('accept', 'application/json');
    const token = session.get()?.token;
    request.setRequestHeader('idempotency-key', key);
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
    let isSent = false;
    request.upload.addEventListener('load', () => {
      isSent = true;
    });
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(loaded / Math.max(1, total)),
    );
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', () =>
      reject(unanswered(t(isSent ? 'common.uploadUnanswered' : 'common.uploadLost'))),
    );
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Body;
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
