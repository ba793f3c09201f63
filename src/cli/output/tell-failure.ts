import { ApiRefusal, CliError, exitCodes, type ExitCode } from '../failures.ts';
import { shown } from './terminal.ts';

/** What a failure looks like to people: what, where, which request, what to do. */
export function failureLines(error: CliError): string[] {
  const lines = [
    `parlance: ${shown(error.message)}${error instanceof ApiRefusal ? ` (${error.status}${error.code === null ? '' : ` ${error.code}`})` : ''}`,
  ];
  if (error instanceof ApiRefusal) {
    lines.push(...error.faults.map(({ place, message }) => `  ${shown(place)}: ${shown(message)}`));
    if (error.requestId !== null) lines.push(`  request ${shown(error.requestId)}`);
  }
  return error.hint === undefined ? lines : [...lines, `  ${error.hint}`];
}

/** The same for programs, as one line of JSON on standard error. */
export function failureValue(error: CliError): unknown {
  const ofApi =
    error instanceof ApiRefusal
      ? { status: error.status, code: error.code, request_id: error.requestId, faults: error.faults }
      : {};
  return { error: { exit_code: error.exitCode, message: error.message, hint: error.hint ?? null, ...ofApi } };
}

/**
 * Prints a failure and answers the exit code. What is no CliError is a fault of this program and shows its
 * stack.
 */
export function tellFailure(
  error: unknown,
  { isJson, write }: { isJson: boolean; write: (text: string) => void },
): ExitCode {
  if (!(error instanceof CliError)) {
    write(`parlance has a fault of its own: ${error instanceof Error ? error.stack : String(error)}\n`);
    return exitCodes.difference;
  }
  write(isJson ? `${JSON.stringify(failureValue(error))}\n` : `${failureLines(error).join('\n')}\n`);
  return error.exitCode;
}
