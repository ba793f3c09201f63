/** A date-time of an answer: ISO 8601 with microseconds and `Z` (contract 0.2). */
export function wireMoment(moment: Date): string {
  return moment.toISOString().replace('Z', '000Z');
}
