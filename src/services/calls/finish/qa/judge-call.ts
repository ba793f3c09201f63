import { findRow } from '../../../../db/rows.ts';
import { agentVersions } from '../../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../../db/tables/calls.ts';
import { readAgentSettings } from '../../../../domain/agents/settings.ts';
import { costOf } from '../../../../domain/call/cost.ts';
import { exchangesOf } from '../../../../domain/call/tool-round.ts';
import { timeoutsMs } from '../../../../domain/declaration.ts';
import { InvariantError, NotFoundError, ProviderError } from '../../../../domain/errors.ts';
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
import { promptVariables, renderSystemPrompt, renderTemplate } from '../../../../domain/template/render.ts';
import type { LlmUsage } from '../../../../providers/llm/port.ts';
import { collectReply, resolveLlm, type ResolvedLlm } from '../../../models/index.ts';
import { lastCheckpoint } from '../../turns/last-checkpoint.ts';
import { loadAllTurns } from '../../turns/scene.ts';
import { modelUsage, noTokens, tokensOf } from '../../turns/usage.ts';
import { type CallRef, definitionPlace, openerOf } from '../../../kernel/index.ts';
import type { ConversationDeps } from '../../turns/deps.ts';
import { changeJudgment } from './change-judgment.ts';
import { readJudgment } from './read-answer.ts';

export interface JudgeCallInput extends CallRef {
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

/**
 * Judges an ended call by one QA node of its pinned version (contract 9.5), with one request to the model for
 * each node at which something was said. Every answer is stored at once, so that a retry only asks about the
 * remaining nodes. A repeated call after the end asks nothing. Throws ProviderError when the model fails or
 * its answer cannot be read.
 */
export async function judgeCall({ deps, input, signal }: Judging): Promise<JudgmentOutcome> {
  const { call, definition, settings, qaNode } = await load(deps, input);
  const known = judgmentIn(call.annotations, qaNode.id);
  if (isClosed(known)) return outcomeOf(known);
  const record = async (annotations: (before: JsonObject) => JsonObject) =>
    outcomeOf(
      judgmentIn(await changeJudgment({ db: deps.db, ref: input, change: { annotations } }), qaNode.id),
    );

  const skipped = skipReason(qaNode, {
    uuid: call.uuid,
    durationSec: durationOf(call),
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
  const judge = judgeOf({ deps, input, call, definition, qaNode, by, signal });
  await inGroups(
    passages.filter(({ nodeId }) => !done.has(nodeId)),
    judge,
  );
  return await record((before) => before);
}

async function load({ db }: ConversationDeps, { callId, organizationId, nodeId }: JudgeCallInput) {
  const call = await findRow(db, calls, { id: callId, organizationId });
  const version =
    call === null ? null : await findRow(db, agentVersions, { id: call.versionId, organizationId });
  if (call === null || version === null) throw new NotFoundError('Call or version does not exist');
  if (call.startedAt === null || call.state !== 'ended')
    throw new InvariantError('Only a call that has ended can be judged');
  const qaNode = judgingNodes(version.definition).find(({ id }) => id === nodeId);
  if (qaNode === undefined) throw new InvariantError('The pinned version has no such QA node');
  return {
    call: { ...call, startedAt: call.startedAt },
    definition: version.definition,
    settings: readAgentSettings(version.settings),
    qaNode,
  };
}

async function loadPassages({ db }: ConversationDeps, input: JudgeCallInput): Promise<Passage[]> {
  const { live } = await loadAllTurns({ deps: { db }, input, checkpoint: await lastCheckpoint(db, input) });
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
function judgeOf({
  deps,
  input,
  call,
  definition,
  qaNode,
  by: { llm, model },
  signal,
}: Scene): (passage: Passage) => Promise<void> {
  const variables = promptVariables(call.initialContext);
  const now = call.startedAt;
  const render = (template: string, values: JsonObject) =>
    renderTemplate(template, { variables: { ...variables, ...values }, now });
  const taskOf = (node: ConversationNode | null) =>
    node === null
      ? ''
      : renderSystemPrompt({
          globalPrompt: node.addGlobalPrompt ? globalPrompt(definition) : null,
          nodePrompt: node.prompt,
          variables,
          now,
        });
  const wholeMs = timeoutsMs.judgmentModel;
  const timeouts = { connectMs: wholeMs, firstTokenMs: wholeMs, stallMs: wholeMs, wholeMs };
  return async (passage) => {
    const node = nodeOf(definition, passage.nodeId);
    const nodeName = node?.name ?? passage.nodeId;
    const question = judgeMessages({
      passage,
      nodeName,
      task: taskOf(node),
      systemPrompt: qaNode.systemPrompt,
      render,
    });
    const keep = async (usage: LlmUsage | null, judgment: NodeJudgment | null) => {
      const tokens = tokensOf([modelUsage({ provider: 'QAAnalysis', model, usage })]);
      const addition = {
        qaNodeId: qaNode.id,
        model,
        simulated: llm.simulated,
        tokens: Object.values(tokens)[0] ?? noTokens,
        judged: judgment === null ? null : { nodeId: passage.nodeId, judgment },
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
    };
    const reply = await collectReply(
      llm.stream({ model, tools: [], timeouts, measuredAs: 'judgment', ...question }, { signal }),
    ).catch(async (error: unknown) => {
      if (error instanceof ProviderError && error.spent !== null) await keep(error.spent, null);
      throw error;
    });
    const judgment = readJudgment(reply.text, { nodeName, isStock: qaNode.systemPrompt === null });
    await keep(reply.usage, judgment);
    if (judgment === null)
      throw new ProviderError('The judgment of the language model cannot be read', {
        provider: 'llm',
        retryable: true,
        reason: 'unreadable',
      });
  };
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
      apiKey: open(apiKey ?? ''),
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

function durationOf({ usage }: CallRow): number {
  const seconds = usage['call_duration_seconds'];
  return typeof seconds === 'number' ? seconds : 0;
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
