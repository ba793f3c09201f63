const browsers = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

const firstOf = (header: string, known: readonly (readonly [RegExp, string])[]): string | undefined =>
  known.find(([pattern]) => pattern.test(header))?.[1];

/**
 * A short name of the client in a `User-Agent` header, by which people recognize their sessions: `Firefox on
 * macOS`, or the first word of another client, `curl`. Null for a header without one.
 */
export function agentName(header: string | undefined): string | null {
  if (header === undefined) return null;
  const browser = firstOf(header, browsers);
  if (browser === undefined) return /^[\w.-]{1,64}/.exec(header)?.[0] ?? null;
  const system = firstOf(header, systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
