/** What came of a finished attempt: `retried` failed, and a later attempt delivered the same message. */
export type AttemptResult = 'ok' | 'retried' | 'failed';

export interface EndpointAttempt {
  at: Date;
  result: AttemptResult;
  /** Milliseconds until the answer; null if there was none. */
  answeredAfterMs: number | null;
}

export type EndpointState = 'healthy' | 'failing' | 'off' | 'unused';

export interface EndpointHealth {
  state: EndpointState;
  /** When the attempts that have failed since the last success began; null if the last one succeeded. */
  failingSince: Date | null;
  /** Median time of its answers, milliseconds; null without an answer. */
  medianAnswerMs: number | null;
}

/** The health of an endpoint by its last attempts, oldest first (contract 9.4). */
export function judgeEndpoint(
  attempts: readonly EndpointAttempt[],
  { isOff }: { isOff: boolean },
): EndpointHealth {
  const failures = attempts.slice(attempts.findLastIndex(({ result }) => result === 'ok') + 1);
  const failingSince = failures[0]?.at ?? null;
  const answers = attempts.map(({ answeredAfterMs }) => answeredAfterMs).filter((ms) => ms !== null);
  return {
    state: isOff ? 'off' : attempts.length === 0 ? 'unused' : failingSince === null ? 'healthy' : 'failing',
    failingSince,
    medianAnswerMs: medianOf(answers),
  };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Host and path of an address, because queries and passwords in URLs may be secrets. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return 'an invalid URL';
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname}`;
}
