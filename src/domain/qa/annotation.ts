import { isObject, type JsonObject, own, ownList, ownObject } from '../graph/definition.ts';

/** What the judge said of one node (contract 9.5). */
export interface NodeJudgment {
  node_name: string;
  /** 1–10; null where the customer's instructions ask for none. */
  score: number | null;
  overall_sentiment: string | null;
  summary: string;
  tags: string[];
  /** The model's whole JSON answer. */
  answer: JsonObject;
}

/** Tokens of a QA node, in the words of usage_info (contract 6.6). */
export interface JudgmentTokens {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

type Annotations = JsonObject;

/** The key of a QA node's result in a call's annotations. */
export function annotationKey(nodeId: string): string {
  return `qa_${nodeId}`;
}

/** A QA node's result as far as it is known; undefined before anything is. */
export function judgmentIn(annotations: Annotations, nodeId: string): JsonObject | undefined {
  const entry = own(annotations, annotationKey(nodeId));
  return isObject(entry) ? entry : undefined;
}

/** A result that nothing is added to any more: the call was skipped, or judging was given up. */
export function isClosed(entry: JsonObject | undefined): boolean {
  return entry !== undefined && (own(entry, 'skipped') === true || own(entry, 'error') !== undefined);
}

/** The nodes of the call that were judged already. */
export function judgedNodes(entry: JsonObject | undefined): string[] {
  return Object.keys(ownObject(entry ?? {}, 'node_results'));
}

export interface Addition {
  qaNodeId: string;
  model: string;
  /** What answered was a stand-in. */
  simulated: boolean;
  tokens: JudgmentTokens;
  /** Null for an answer that could not be read: its tokens count all the same. */
  judged: { nodeId: string; judgment: NodeJudgment } | null;
}

/** Annotations with one more answer of the judge; a closed result stays as it is. */
export function withJudgment(
  annotations: Annotations,
  { qaNodeId, model, simulated, tokens, judged }: Addition,
): Annotations {
  const entry = judgmentIn(annotations, qaNodeId);
  if (isClosed(entry)) return annotations;
  const before = ownObject(entry ?? {}, 'node_results');
  // Two workers may have asked about one node: the first answer stands.
  const isNew = judged !== null && !Object.hasOwn(before, judged.nodeId);
  const results = isNew
    ? Object.fromEntries([...Object.entries(before), [judged.nodeId, judged.judgment]])
    : before;
  const next = {
    node_results: results,
    score: meanScore(results),
    tags: tagsOf(results),
    model,
    token_usage: addUp(ownObject(entry ?? {}, 'token_usage'), tokens),
    ...(simulated ? { simulated: true } : {}),
  };
  return withEntry(annotations, qaNodeId, next);
}

/** Annotations that say why a call was not judged; a result that is there stays. */
export function withSkip(annotations: Annotations, qaNodeId: string, reason: string): Annotations {
  return judgmentIn(annotations, qaNodeId) === undefined
    ? withEntry(annotations, qaNodeId, { skipped: true, reason })
    : annotations;
}

/** Annotations that say why judging was given up; what was judged until then stays beside it. */
export function withError(annotations: Annotations, qaNodeId: string, error: string): Annotations {
  const entry = judgmentIn(annotations, qaNodeId);
  return isClosed(entry) ? annotations : withEntry(annotations, qaNodeId, { ...entry, error });
}

/** Annotations without results of these nodes: a request that created the call may have named any key. */
export function withoutJudgments(annotations: Annotations, nodeIds: readonly string[]): Annotations {
  const keys = new Set(nodeIds.map(annotationKey));
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !keys.has(key)));
}

function withEntry(annotations: Annotations, qaNodeId: string, entry: JsonObject): Annotations {
  const next = Object.fromEntries([...Object.entries(annotations), [annotationKey(qaNodeId), entry]]);
  const tags = sorted([...texts(ownList(annotations, 'tags')), ...texts(ownList(entry, 'tags'))]);
  return tags.length === 0 ? next : { ...next, tags };
}

/** Of the nodes that have a score, to one decimal. */
export function meanScore(results: JsonObject): number | null {
  const scores = Object.values(results).flatMap((each) => {
    const score = isObject(each) ? own(each, 'score') : undefined;
    return typeof score === 'number' ? [score] : [];
  });
  return scores.length === 0
    ? null
    : Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 10) / 10;
}

function tagsOf(results: JsonObject): string[] {
  return sorted(
    Object.values(results).flatMap((each) => (isObject(each) ? texts(ownList(each, 'tags')) : [])),
  );
}

function addUp(before: JsonObject, tokens: JudgmentTokens): JudgmentTokens {
  const sum = (key: keyof JudgmentTokens) => {
    const earlier = own(before, key);
    return tokens[key] + (typeof earlier === 'number' ? earlier : 0);
  };
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
    cache_read_input_tokens: sum('cache_read_input_tokens'),
    cache_creation_input_tokens: sum('cache_creation_input_tokens'),
  };
}

function texts(list: readonly unknown[]): string[] {
  return list.filter((each) => typeof each === 'string');
}

function sorted(tags: readonly string[]): string[] {
  return [...new Set(tags)].toSorted();
}
