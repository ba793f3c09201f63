import { findRow } from '../../../../db/rows.ts';
import { agentVersions } from '../../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../../db/tables/calls.ts';
import { readAgentSettings } from '../../../../domain/agents/settings.ts';
import { costOf } from '../../../../domain/call/cost.ts';
import { exchangesOf } from '../../../../domain/call/tool-round.ts';
import { timeoutsMs } from '../../../../domain/declaration.ts';
import {
  InvariantError,
  NotFoundError,
  PreconditionError,
  ProviderError,
} from '../../../../domain/errors.ts';
import { own, type Definition, type JsonObject } from '../../../../domain/graph/definition.ts';
import { globalPrompt, nodeOf, type ConversationNode } from '../../../../domain/graph/model.ts';
import {
  isClosed,
  judgedNodes,
  judgmentIn,
  withError,
  withJudgment,
  withSkip,
  type NodeJudgment,
} from '../../../../domain/qa/annotation.ts';
import { skipReason } from '../../../../domain/qa/decide.ts';
import { judgingNodes, ownModelFault, type OwnModel, type QaNode } from '../../../../domain/qa/node.ts';
import { passagesOf, type Passage } from '../../../../domain/qa/passages.ts';
import { judgeMessages } from '../../../../domain/qa/prompt.ts';
import { promptVariables, renderSystemPrompt, renderTemplate } from '../../../../domain/rendering/render.ts';
import type { LlmUsage } from '../../../../providers/llm/port.ts';
import { collectReply, resolveLlm, type ResolvedLlm } from '../../../models/index.ts';
import { lastCheckpoint } from '../../turns/last-checkpoint.ts';
import { loadAllTurns, sortTurns } from '../../turns/scene.ts';
import { modelUsage, noTokens, tokensOf } from '../../turns/usage.ts';
import { type CallRef, definitionPlace, openerOf } from '../../../kernel/index.ts';
import type { ConversationDeps } from '../../turns/deps.ts';
import { changeJudgment, type JudgmentRef, resultsSoFar } from './change-judgment.ts';
import { readJudgment } from './read-answer.ts';

export interface JudgeCallInput extends JudgmentRef {
  /** The QA node. */
  nodeId: string;
}

/**
 * How the judging ended, without text of the conversation. The judgment itself is in the call's annotations.
 */
export type JudgmentOutcome =
  | { kind: 'judged'; score: number | null }
  | { kind: 'skipped'; reason: string }
  | { kind: 'failed'; error: string };

interface Judging {
  deps: ConversationDeps;
  input: JudgeCallInput;
  signal: AbortSignal;
}

/** Maximum number of concurrent requests to the model. */
const maxConcurrent = 4;

/** Nobody waits for the first token. */
const modelTimeouts = {
  connectMs: timeoutsMs.judgmentModel,
  firstTokenMs: timeoutsMs.judgmentModel,
  stallMs: timeoutsMs.judgmentModel,
  wholeMs: timeoutsMs.judgmentModel,
};

/**
 * Judges an ended call by one QA node of its pinned version (contract 9.5), with one request to the model for
 * each node at which something was said. Every answer is stored at once, so that a retry only asks about the
 * remaining nodes. A repeated call after the end asks nothing. A judgment that was asked for later may be by
 * the QA node of another version; the sample does not count for it. Throws ProviderError when the model fails
 * or its answer cannot be read, and PreconditionError as `changeJudgment` does.
 */
export async function judgeCall({ deps, input, signal }: Judging): Promise<JudgmentOutcome> {
  const { call, definition, settings, qaNode } = await load(deps, input);
  const sofar = resultsSoFar(call, input.again);
  if (sofar === undefined) throw new PreconditionError('The judgment is over');
  const known = judgmentIn(sofar, qaNode.id);
  if (isClosed(known)) return outcomeOf(known);
  const record = async (annotations: (before: JsonObject) => JsonObject) =>
    outcomeOf(
      judgmentIn(await changeJudgment({ db: deps.db, ref: input, change: { annotations } }), qaNode.id),
    );

  const asked = input.again === undefined ? qaNode : { ...qaNode, samplePercent: 100 };
  const skipped = skipReason(asked, {
    uuid: call.uuid,
    durationSec: call.durationSeconds ?? 0,
    disposition: call.disposition,
  });
  if (skipped !== null) return await record((before) => withSkip(before, qaNode.id, skipped));
  const fault = qaNode.ownModel === null ? null : ownModelFault(qaNode.ownModel);
  if (fault !== null) return await record((before) => withError(before, qaNode.id, fault));
  const passages = await loadPassages(deps, input);
  if (passages.length === 0) return await record((before) => withSkip(before, qaNode.id, 'nothing was said'));

  const done = new Set(judgedNodes(known));
  const by =
    qaNode.ownModel === null
      ? await resolveLlm({ db: deps.db, deps, organizationId: input.organizationId, agentSettings: settings })
      : ownLlm(deps, input, qaNode.ownModel);
  const scene = { deps, input, call, definition, qaNode, by, signal };
  await inGroups(
    passages.filter(({ nodeId }) => !done.has(nodeId)),
    (passage) => judge(scene, passage),
  );
  return await record((before) => before);
}

async function load({ db }: ConversationDeps, { callId, organizationId, nodeId, again }: JudgeCallInput) {
  const call = await findRow(db, calls, { id: callId, organizationId });
  const versionOf = async (id: number) => await findRow(db, agentVersions, { id, organizationId });
  const version = call === null ? null : await versionOf(call.versionId);
  const judging = again === undefined ? version : await versionOf(again.versionId);
  if (call === null || version === null || judging === null)
    throw new NotFoundError('Call or version does not exist');
  if (call.startedAt === null || call.state !== 'ended')
    throw new InvariantError('Only a call that has ended can be judged');
  const qaNode = judgingNodes(judging.definition).find(({ id }) => id === nodeId);
  if (qaNode === undefined) throw new InvariantError('The version has no such QA node');
  return {
    call: { ...call, startedAt: call.startedAt },
    definition: version.definition,
    settings: readAgentSettings(judging.settings),
    qaNode,
  };
}

async function loadPassages({ db }: ConversationDeps, input: JudgeCallInput): Promise<Passage[]> {
  const { live } = sortTurns(await loadAllTurns({ db }, input), await lastCheckpoint(db, input));
  return passagesOf(live.flatMap(({ lines, toolRounds }) => exchangesOf(lines, toolRounds ?? [])));
}

interface Scene extends Judging {
  call: CallRow & { startedAt: Date };
  definition: Definition;
  qaNode: QaNode;
  /** The model to ask. */
  by: Pick<ResolvedLlm, 'llm' | 'model'>;
}

/** Asks the model about one node and stores its judgment. */
async function judge(scene: Scene, passage: Passage): Promise<void> {
  const { definition, qaNode, by, signal } = scene;
  const node = nodeOf(definition, passage.nodeId);
  const nodeName = node?.name ?? passage.nodeId;
  const question = judgeMessages({
    passage,
    nodeName,
    task: taskOf(scene, node),
    systemPrompt: qaNode.systemPrompt,
    render: (template, values) => renderTemplate(template, valuesOf(scene, values)),
  });
  const reply = await collectReply(
    by.llm.stream(
      { model: by.model, tools: [], timeouts: modelTimeouts, measuredAs: 'judgment', ...question },
      { signal },
    ),
  ).catch(async (error: unknown) => {
    if (error instanceof ProviderError && error.spent !== null)
      await keep(scene, passage, { usage: error.spent, judgment: null });
    throw error;
  });
  const judgment = readJudgment(reply.text, { nodeName, isStock: qaNode.systemPrompt === null });
  await keep(scene, passage, { usage: reply.usage, judgment });
  if (judgment === null)
    throw new ProviderError('The judgment of the language model cannot be read', {
      provider: 'llm',
      retryable: true,
      reason: 'unreadable',
    });
}

/** What templates are rendered with: the call's variables, as of its beginning. */
function valuesOf({ call }: Scene, more: JsonObject = {}) {
  return { variables: { ...promptVariables(call.initialContext), ...more }, now: call.startedAt };
}

/** What the agent was told to do at the node. */
function taskOf(scene: Scene, node: ConversationNode | null): string {
  if (node === null) return '';
  return renderSystemPrompt({
    globalPrompt: node.addGlobalPrompt ? globalPrompt(scene.definition) : null,
    nodePrompt: node.prompt,
    ...valuesOf(scene),
  });
}

/** Stores a judgment with its tokens; without a judgment, the tokens alone. */
async function keep(
  { deps, input, qaNode, by: { llm, model } }: Scene,
  { nodeId }: Passage,
  { usage, judgment }: { usage: LlmUsage | null; judgment: NodeJudgment | null },
): Promise<void> {
  const tokens = tokensOf([modelUsage({ provider: 'QAAnalysis', model, usage })]);
  const addition = {
    qaNodeId: qaNode.id,
    model,
    simulated: llm.simulated,
    tokens: Object.values(tokens)[0] ?? noTokens,
    judged: judgment === null ? null : { nodeId, judgment },
  };
  await changeJudgment({
    db: deps.db,
    ref: input,
    change: {
      annotations: (before) => withJudgment(before, addition),
      tokens,
      costUsd: qaNode.ownModel === null ? costOf(tokens, deps.prices) : 0,
    },
  });
}

/** Only Azure has an endpoint. With other providers it is a leftover that no editor shows (contract 2.3). */
function ownLlm(
  { customerLlms, secrets }: ConversationDeps,
  { organizationId }: CallRef,
  { provider, model, apiKey, endpoint }: OwnModel,
): Scene['by'] {
  const open = openerOf(secrets, definitionPlace(organizationId));
  return {
    llm: customerLlms({
      provider,
      apiKey: apiKey === null ? '' : open(apiKey),
      endpoint: provider === 'azure' ? endpoint : null,
    }),
    model: model ?? '',
  };
}

/** Judges a few passages at once. All answers of a group are stored before a failure among them is thrown. */
async function inGroups(
  passages: readonly Passage[],
  judge: (passage: Passage) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < passages.length; from += maxConcurrent) {
    const results = await Promise.allSettled(passages.slice(from, from + maxConcurrent).map(judge));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

/** The outcome that an entry of the annotations records. */
export function outcomeOf(entry: JsonObject | undefined): JudgmentOutcome {
  const [error, reason, score] = [
    own(entry ?? {}, 'error'),
    own(entry ?? {}, 'reason'),
    own(entry ?? {}, 'score'),
  ];
  if (typeof error === 'string') return { kind: 'failed', error };
  if (typeof reason === 'string') return { kind: 'skipped', reason };
  return { kind: 'judged', score: typeof score === 'number' ? score : null };
}
