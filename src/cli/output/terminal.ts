import { stripVTControlCharacters, styleText } from 'node:util';

/** Where results and remarks go. Results are on standard output, everything else on the other stream. */
export interface Terminal {
  isJson: boolean;
  /** One line of a result for people. */
  say: (line?: string) => void;
  /** A remark for people, also while --json is on: it is not part of the result. */
  note: (line: string) => void;
  /** The result for programs: one value on one line. */
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

/** Colors only where a terminal shows them and NO_COLOR is not set (`styleText` looks at the stream). */
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

/** Text of somebody else, safe to show: a caller's words must not move the cursor or color the screen. */
export const shown = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]/gu, (sign) =>
    sign === '\n' || sign === '\t' ? sign : '',
  );

/** The same on one line, cut to `width` characters. */
export function oneLine(text: string, width = 60): string {
  const line = shown(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
