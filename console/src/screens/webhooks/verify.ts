/** The newest and oldest time that receivers accept (docs/webhooks.md). */
const toleranceSeconds = 300;
const needed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** What a pasted request turns out to be. */
export type Verdict =
  | { kind: 'incomplete'; missing: readonly string[] }
  /** The page is served without TLS, where browsers compute no signatures. */
  | { kind: 'insecure' }
  | { kind: 'bad-timestamp' }
  /** `secret` is the place of the secret that signed it. `secondsOff` is how far its time is from now. */
  | { kind: 'genuine'; secret: number; secondsOff: number; isTooOld: boolean }
  | { kind: 'no-match'; signatures: number };

/** Reads headers as people copy them: lines, the `-H` of curl, or a JSON object. Names in lower case. */
export function readHeaders(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of pairsOf(text)) found.set(name.trim().toLowerCase(), value.trim());
  return found;
}

function pairsOf(text: string): readonly (readonly [string, string])[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null)
      return Object.entries(parsed).map(([name, value]) => [name, String(value)] as const);
  } catch {
    // Lines, then.
  }
  return text.split('\n').flatMap((line) => {
    const [, name, value] =
      /^\s*(?:(?:-H|--header)\s+)?["']?([\w-]+)["']?\s*[:=]\s*(.*?)["',\\\s]*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.replace(/^["']/, '')] as const];
  });
}

/** Judges a request by Standard Webhooks: its signatures, and whether a receiver would still take it. */
export async function verify({
  headers,
  body,
  secrets,
  now,
}: {
  headers: ReadonlyMap<string, string>;
  body: string;
  secrets: readonly string[];
  now: Date;
}): Promise<Verdict> {
  if ((crypto.subtle as object | undefined) === undefined) return { kind: 'insecure' };
  const missing = needed.filter((name) => (headers.get(name) ?? '') === '');
  if (missing.length > 0) return { kind: 'incomplete', missing };
  const [id = '', timestamp = '', signature = ''] = needed.map((name) => headers.get(name));
  if (!/^\d{1,12}$/.test(timestamp)) return { kind: 'bad-timestamp' };
  const given = signature.split(/\s+/);
  // Copying a body often adds or loses the last line end.
  const bodies = [...new Set([body, body.replace(/\n+$/, '')])];
  for (const [place, secret] of secrets.entries())
    for (const each of bodies)
      if (given.includes(`v1,${await sign(secret, `${id}.${timestamp}.${each}`)}`)) {
        const secondsOff = Math.round(now.getTime() / 1000 - Number(timestamp));
        return {
          kind: 'genuine',
          secret: place,
          secondsOff,
          isTooOld: Math.abs(secondsOff) > toleranceSeconds,
        };
      }
  return { kind: 'no-match', signatures: given.length };
}

async function sign(secret: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (each) => each.codePointAt(0) ?? 0);
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
  return btoa(String.fromCodePoint(...made));
}
