import { Agent, request as httpRequest } from 'node:http';
import type { AnyRequest } from './requests.ts';

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** Only against hanging requests. */
const patienceMs = 180_000;

/** Sends requests unchanged, byte by byte; `fetch` would correct paths. */
export function createSender(url: string): {
  send: (request: AnyRequest) => Promise<Answer>;
  close: () => void;
} {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => agent.destroy(),
    send: ({ method, target, headers, body }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const length = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const];
      const req = httpRequest(
        {
          agent,
          hostname,
          port,
          method,
          path: target,
          headers: [['Host', `${hostname}:${port}`], ...length, ...headers].flat(),
          signal: AbortSignal.timeout(patienceMs),
        },
        (res) => {
          const chunks: Buffer[] = [];
          const answer = () =>
            resolve({
              status: res.statusCode ?? 0,
              headers: res.headers,
              body: Buffer.concat(chunks).toString(),
            });
          const isStream = res.headers['content-type'] === 'text/event-stream';
          res.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            if (!isStream) return;
            answer(); // it does not end
            req.destroy();
          });
          res.once('end', answer);
          res.once('error', reject);
        },
      );
      req.once('error', reject);
      req.end(body);
      return promise;
    },
  };
}

/** The request as a shell command. */
export function toCurl(url: string, { method, target, headers, body }: AnyRequest): string {
  const shown = headers
    .map(([name, value]) => ` -H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
    .join('');
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const data =
    body === undefined ? '' : `${hasType ? '' : " -H 'Content-Type:'"} --data-binary ${quoted(body)}`;
  return `curl -i --path-as-is -g -X ${method} ${quoted(`${url}${target}`)}${shown}${data}`;
}

/** For bash: bytes outside printable ASCII are escaped. */
function quoted(text: string): string {
  if (/^[ -&(-~]*$/.test(text)) return `'${text}'`;
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCodePoint(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes.join('')}'`;
}
