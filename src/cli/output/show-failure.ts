import { ApiRefusal, CliError, exitCodes, type ExitCode } from '../failures.ts';
import { shown } from './terminal.ts';

/** Renders a failure for people: message, faults, request id, hint. */
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

/** Renders a failure for programs: one JSON value on standard error. */
export function failureValue(error: CliError): unknown {
  const ofApi =
    error instanceof ApiRefusal
      ? { status: error.status, code: error.code, request_id: error.requestId, faults: error.faults }
      : {};
  return { error: { exit_code: error.exitCode, message: error.message, hint: error.hint ?? null, ...ofApi } };
}

/**
 * Prints a failure and returns the exit code. An error that is not a CliError is a bug, and its stack is
 * shown.
 */
export function showFailure(
  error: unknown,
  { isJson, write }: { isJson: boolean; write: (text: string) => void },
): ExitCode {
  if (!(error instanceof CliError)) {
    write(`parlance: internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
    return exitCodes.difference;
  }
  write(isJson ? `${JSON.stringify(failureValue(error))}\n` : `${failureLines(error).join('\n')}\n`);
  return error.exitCode;
}
