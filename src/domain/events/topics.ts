/**
 * What a stream of events tells of: `org` of the calls of the organization, `call` of one call, with its words
 * (contract 6.11).
 */
export type Topic = { kind: 'org' } | { kind: 'call'; id: number };

/** Topics of a request, separated by commas, without repeats. The pattern of the request has checked them. */
export function readTopics(text: string): Topic[] {
  return [...new Set(text.split(','))].map((each): Topic => {
    const [kind, id] = each.split(':');
    return kind === 'org' ? { kind: 'org' } : { kind: 'call', id: Number(id) };
  });
}

/** As a request names it. */
export const topicName = (topic: Topic): string => (topic.kind === 'org' ? 'org' : `call:${topic.id}`);
