/** A timestamp in an answer: ISO 8601 with microseconds and `Z` (contract 0.2). */
export function wireTimestamp(timestamp: Date): string {
  return timestamp.toISOString().replace('Z', '000Z');
}
