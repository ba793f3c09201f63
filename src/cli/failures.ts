/** Exit codes of commands (docs/cli.md, "Exit codes"). */
export const exitCodes = {
  ok: 0,
  /** A difference, a conflict, or a partial failure. */
  difference: 1,
  /** The command line, the configuration or a file is wrong. */
  usage: 2,
  /** The API refused the request. */
  refused: 3,
  /** The API did not answer. */
  unreachable: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure that the user can fix: `message` says what is wrong, `hint` what to do. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.name = new.target.name;
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export class UsageError extends CliError {
  constructor(message: string, hint?: string) {
    super(exitCodes.usage, message, hint);
  }
}

/** The API did not answer, or not in time. */
export class UnreachableError extends CliError {
  constructor(message: string, hint?: string) {
    super(exitCodes.unreachable, message, hint);
  }
}

/** The agent was changed on the server since the pull. */
export class ConflictError extends CliError {
  constructor(message: string, hint?: string) {
    super(exitCodes.difference, message, hint);
  }
}

/** Ctrl-C or SIGTERM. */
export class InterruptedError extends CliError {
  constructor() {
    super(exitCodes.interrupted, 'Interrupted');
  }
}

/** A fault of a request or a graph. `place` is a field, a node or an edge. */
export interface Fault {
  place: string;
  message: string;
}

/** An error answer of the API, with its text. */
export class ApiRefusal extends CliError {
  readonly status: number;
  /** Stable machine-readable word. Null if the answer has none. */
  readonly code: string | null;
  readonly requestId: string | null;
  readonly faults: readonly Fault[];

  constructor({
    status,
    code,
    requestId,
    faults,
    message,
  }: {
    status: number;
    code: string | null;
    requestId: string | null;
    faults: readonly Fault[];
    message: string;
  }) {
    super(exitCodes.refused, message, hintOf(status));
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.faults = faults;
  }
}

function hintOf(status: number): string | undefined {
  if (status === 401)
    return 'The key is wrong, expired or archived. Store another one with `parlance login`, or set PARLANCE_API_KEY.';
  if (status === 403) return 'The key lacks the scope. Use a key that has it.';
  if (status === 429) return 'Too many requests. Try again later.';
  return status >= 500
    ? 'This is an error of the service. Its log has the details under the request id.'
    : undefined;
}
