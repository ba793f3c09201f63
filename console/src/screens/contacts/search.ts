export const rowStates = ['ok', 'invalid', 'duplicate', 'no_phone', 'suppressed', 'do_not_call'] as const;
export type RowState = (typeof rowStates)[number];

/** What of a directory is shown. */
export interface DirectorySearch {
  /** Rows of this result alone. */
  state?: RowState | undefined;
  /** Rows with this finding alone. */
  finding?: string | undefined;
  /** A part of a number or of any cell. */
  q?: string | undefined;
  /** The agent with which the directory is compared. */
  agent?: number | undefined;
}

/** The router reads `q=42` as a number. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Reads search parameters; what is unknown or wrong is left out. */
export function directorySearch({ state, finding, q, agent }: Record<string, unknown>): DirectorySearch {
  const found = rowStates.find((each) => each === state);
  const words = textOf(q);
  const id = Number(agent);
  return {
    ...(found === undefined ? {} : { state: found }),
    ...(typeof finding === 'string' && /^[a-z_]{1,40}$/.test(finding) ? { finding } : {}),
    ...(words === undefined ? {} : { q: words }),
    ...(Number.isInteger(id) && id > 0 ? { agent: id } : {}),
  };
}

/** Which directories are shown. */
export interface DirectoriesSearch {
  /** A part of the name. */
  q?: string | undefined;
}

/** Reads search parameters; what is unknown is left out. */
export function directoriesSearch({ q }: Record<string, unknown>): DirectoriesSearch {
  const name = textOf(q)?.trim();
  return name === undefined || name === '' ? {} : { q: name };
}

/** Which blocked numbers are shown. */
export interface BlockedSearch {
  /** The first digits of a number. */
  q?: string | undefined;
}

/** Reads search parameters; what is unknown is left out. */
export function blockedSearch({ q }: Record<string, unknown>): BlockedSearch {
  const number = textOf(q);
  return number === undefined ? {} : { q: number };
}
