/** What a command ends with (docs/cli.md, "Exit codes"). */
export const exitCodes = {
  ok: 0,
  /** There is a difference, a conflict, or something that was asked for did not succeed. */
  difference: 1,
  /** The command line, the configuration or a file is wrong: nothing was asked of the API. */
  usage: 2,
  /** The API answered and refused. */
  refused: 3,
  /** There was no answer. */
  unreachable: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure that a person can mend: `message` says what is wrong, `hint` what to do. */
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

/** Nobody answered, or nobody in time. */
export class UnreachableError extends CliError {
  constructor(message: string, hint?: string) {
    super(exitCodes.unreachable, message, hint);
  }
}

/** Somebody else changed what was to be changed. */
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

/** One thing that is wrong with a request or a graph; `place` is a field, a node or an edge. */
export interface Fault {
  place: string;
  message: string;
}

/** The API's own refusal, in its words. */
export class ApiRefusal extends CliError {
  readonly status: number;
  /** The stable machine word; null where the answer has none. */
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
    return 'The key is wrong, expired or archived: `parlance login` stores another one, or set PARLANCE_API_KEY.';
  if (status === 403) return 'The key was made for less: use one that has the scope.';
  if (status === 429) return 'Too many requests: try again later.';
  return status >= 500 ? 'The service has a fault of its own; its log names the request.' : undefined;
}
