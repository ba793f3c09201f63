/**
 * What a stream of events tells of: `org` of the calls of the organization, `call` of one call, with its words, and others
 * of the facts of one campaign, directory or agent (contract 6.11).
 */
export type Topic = { kind: 'org' } | { kind: OneKind; id: number };

export const oneKinds = ['call', 'campaign', 'directory', 'agent'] as const;
type OneKind = (typeof oneKinds)[number];

/** Topics of a request, separated by commas, without repeats. The pattern of the request has checked them. */
export function readTopics(text: string): Topic[] {
  return [...new Set(text.split(','))].map((each): Topic => {
    const [name, id] = each.split(':');
    const kind = oneKinds.find((known) => known === name);
    return kind === undefined ? { kind: 'org' } : { kind, id: Number(id) };
  });
}

/** As a request names it. */
export const topicName = (topic: Topic): string =>
  topic.kind === 'org' ? 'org' : `${topic.kind}:${topic.id}`;
