import { isObject, type JsonObject, own, ownList, ownObject } from '../graph/definition.ts';

/** The model's judgment of one node (contract 9.5). */
export interface NodeJudgment {
  node_name: string;
  /** 1–10; null when the customer's instructions ask for none. */
  score: number | null;
  overall_sentiment: string | null;
  summary: string;
  tags: string[];
  /** The model's whole JSON answer. */
  answer: JsonObject;
}

/** Tokens of a QA node, named as in usage_info (contract 6.6). */
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

/** A QA node's result so far; undefined when there is none. */
export function judgmentIn(annotations: Annotations, nodeId: string): JsonObject | undefined {
  const entry = own(annotations, annotationKey(nodeId));
  return isObject(entry) ? entry : undefined;
}

/** True for a final result: the call was skipped, or judging failed. */
export function isClosed(entry: JsonObject | undefined): boolean {
  return entry !== undefined && (own(entry, 'skipped') === true || own(entry, 'error') !== undefined);
}

/** The nodes of the call that are already judged. */
export function judgedNodes(entry: JsonObject | undefined): string[] {
  return Object.keys(ownObject(entry ?? {}, 'node_results'));
}

export interface Addition {
  qaNodeId: string;
  model: string;
  /** A simulated model answered. */
  simulated: boolean;
  tokens: JudgmentTokens;
  /** Null for an unreadable answer, whose tokens still count. */
  judged: { nodeId: string; judgment: NodeJudgment } | null;
}

/** Adds one answer of the model to the annotations; a closed result stays unchanged. */
export function withJudgment(
  annotations: Annotations,
  { qaNodeId, model, simulated, tokens, judged }: Addition,
): Annotations {
  const entry = judgmentIn(annotations, qaNodeId);
  if (isClosed(entry)) return annotations;
  const before = ownObject(entry ?? {}, 'node_results');
  // Two workers may have asked about one node: the first answer stays.
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

/** Adds to the annotations why a call was not judged; an existing result stays. */
export function withSkip(annotations: Annotations, qaNodeId: string, reason: string): Annotations {
  return judgmentIn(annotations, qaNodeId) === undefined
    ? withEntry(annotations, qaNodeId, { skipped: true, reason })
    : annotations;
}

/** Adds to the annotations why judging failed; earlier judgments stay. */
export function withError(annotations: Annotations, qaNodeId: string, error: string): Annotations {
  const entry = judgmentIn(annotations, qaNodeId);
  return isClosed(entry) ? annotations : withEntry(annotations, qaNodeId, { ...entry, error });
}

/**
 * The annotations without results of these nodes, because the request that created the call may have used any
 * key.
 */
export function withoutJudgments(annotations: Annotations, nodeIds: readonly string[]): Annotations {
  const keys = new Set(nodeIds.map(annotationKey));
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !keys.has(key)));
}

/**
 * The annotations with these judgments instead of all former ones. Tags of former judgments go, others stay.
 */
export function replaceJudgments(annotations: Annotations, judgments: Annotations): Annotations {
  const former = Object.entries(annotations).filter(([key, value]) => isJudgment(key, value));
  const formerTags = new Set(
    former.flatMap(([, value]) => (isObject(value) ? texts(ownList(value, 'tags')) : [])),
  );
  const { tags: _, ...kept } = Object.fromEntries(
    Object.entries(annotations).filter(([key, value]) => !isJudgment(key, value)),
  );
  const tags = sorted([
    ...texts(ownList(annotations, 'tags')).filter((tag) => !formerTags.has(tag)),
    ...texts(ownList(judgments, 'tags')),
  ]);
  return { ...kept, ...judgments, ...(tags.length === 0 ? {} : { tags }) };
}

/** The score of a call: that of the first QA node that gave one. */
export function scoreIn(annotations: Annotations): number | null {
  for (const [key, entry] of Object.entries(annotations)) {
    const score = isJudgment(key, entry) && isObject(entry) ? own(entry, 'score') : undefined;
    if (typeof score === 'number') return score;
  }
  return null;
}

function isJudgment(key: string, value: unknown): boolean {
  return (
    key.startsWith(annotationKey('')) &&
    isObject(value) &&
    ['node_results', 'skipped', 'error'].some((each) => own(value, each) !== undefined)
  );
}

function withEntry(annotations: Annotations, qaNodeId: string, entry: JsonObject): Annotations {
  const next = Object.fromEntries([...Object.entries(annotations), [annotationKey(qaNodeId), entry]]);
  const tags = sorted([...texts(ownList(annotations, 'tags')), ...texts(ownList(entry, 'tags'))]);
  return tags.length === 0 ? next : { ...next, tags };
}

/** The mean score of the nodes that have one, rounded to one decimal. */
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
