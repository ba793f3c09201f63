/** One line of the transcript file. `at` and `endAt` are ISO 8601. */
export interface TranscriptLine {
  speaker: 'user' | 'assistant';
  text: string;
  at: string;
  endAt?: string | null;
}

/**
 * The transcript file (contract 6.7): `[<at>] user: <text>`, one line per utterance, each ended by a line
 * break; line breaks inside an utterance become spaces. With end timestamps the bracket holds `start -> end`
 * where the end is known.
 */
export function formatTranscript(
  lines: readonly TranscriptLine[],
  { includeEndTimestamps = false }: { includeEndTimestamps?: boolean } = {},
): string {
  return lines
    .map(({ speaker, text, at, endAt }) => {
      const stamp = includeEndTimestamps && typeof endAt === 'string' ? `${at} -> ${endAt}` : at;
      return `[${stamp}] ${speaker}: ${oneLine(text)}\n`;
    })
    .join('');
}

/** The text without line breaks, so that one utterance cannot look like two. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ').trim();
}
