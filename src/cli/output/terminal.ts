import { stripVTControlCharacters, styleText } from 'node:util';

/** Output of commands. Results go to standard output, notes to standard error. */
export interface Terminal {
  isJson: boolean;
  /** Prints a line of the result for people. */
  say: (line?: string) => void;
  /** Prints a note for people, also with --json. It is not part of the result. */
  note: (line: string) => void;
  /** Prints the result for programs: one JSON value on one line. */
  value: (value: unknown) => void;
  dim: (text: string) => string;
  bold: (text: string) => string;
  good: (text: string) => string;
  bad: (text: string) => string;
}

export interface TerminalOptions {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  isJson: boolean;
}

/** Creates the output. Colors are used only in terminals and without NO_COLOR (`styleText` checks both). */
export function createTerminal({ stdout, stderr, isJson }: TerminalOptions): Terminal {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream: stdout });
  return {
    isJson,
    say: (line = '') => void (isJson || stdout.write(`${line}\n`)),
    note: (line) => void stderr.write(`${line}\n`),
    value: (value) => void (isJson && stdout.write(`${JSON.stringify(value)}\n`)),
    dim: style('dim'),
    bold: style('bold'),
    good: style('green'),
    bad: style('red'),
  };
}

/** Removes control characters, so that text from others cannot move the cursor or change colors. */
export const shown = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]/gu, (sign) =>
    sign === '\n' || sign === '\t' ? sign : '',
  );

/** Like `shown`, on one line of at most `width` characters. */
export function oneLine(text: string, width = 60): string {
  const line = shown(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
