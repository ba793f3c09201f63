import { findRow, getRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { tools, type ToolRow } from '../../../db/tables/tools.ts';
import { readArguments, type ReadArguments } from '../../../domain/agent-tools/arguments.ts';
import { calculate } from '../../../domain/agent-tools/calculate.ts';
import { builtInOptOut, nativeAction } from '../../../domain/agent-tools/offer.ts';
import { buildToolRequest } from '../../../domain/agent-tools/request.ts';
import { InvariantError } from '../../../domain/errors.ts';
import { own, ownObject, ownText, type JsonObject } from '../../../domain/graph/definition.ts';
import { transferResult } from '../../../domain/telephony/transfer-result.ts';
import { toolVariables } from '../../../domain/template/variables.ts';
import { openedConfig, sendToolRequest, toToolAnswer } from '../../agents/index.ts';
import { resolveCredentialHeaders } from '../../identity/index.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from './deps.ts';
import { noteOptOut } from './opt-out.ts';
import type { FetchDeps } from './fetch-before-call.ts';
import type { ToolCallRequest } from '../../../domain/call/tool-call.ts';
import { claimToolRun, recordToolRun } from './tool-claim.ts';

export interface RunToolInput extends CallRef {
  branch: number;
  turnIndex: number;
  /** Which tool call of its turn, from 0. */
  callIndex: number;
  call: ToolCallRequest;
}

export interface ToolOutcome {
  /** JSON text for the model. */
  result: string;
  /** Set when the tool ends the conversation; `reason` is the model's own reason. */
  end: { reason: string | null } | null;
  /** Set when the caller is to be transferred: the Workflow does it, and its outcome becomes the result. */
  transfers?: {
    /** The destination depends on extracted values, which must be extracted first (contract 12.7). */
    readsContext: boolean;
  };
}

/**
 * Runs one tool that the model called (contract 15.1, 8.4). A failure is a result that the model reads. The
 * request of an HTTP tool is sent at most once for its place in the call and its arguments: it is claimed in
 * MySQL first. When its worker died meanwhile, only a GET is sent again.
 *
 * Throws UnavailableError when MySQL is unavailable, and the reason of `signal`.
 */
export async function runTool({
  deps,
  input,
  signal,
}: {
  deps: ConversationDeps & FetchDeps;
  input: RunToolInput;
  signal: AbortSignal;
}): Promise<ToolOutcome> {
  const { organizationId, call } = input;
  if (call.toolUuid === builtInOptOut.toolUuid)
    return await optedOut({ deps, input, definition: builtInOptOut.definition });
  const tool = await findRow(deps.db, tools, { uuid: call.toolUuid, organizationId, state: 'active' });
  if (tool === null) return failed('this tool no longer exists');
  if (call.values === null) return failed('the arguments are not a JSON object');
  const given = readArguments(tool.definition, call.values);
  if (given.kind === 'invalid') return failed(given.error);
  switch (tool.category) {
    case 'http_api':
      return { result: await runHttpTool({ deps, input, signal, tool, given }), end: null };
    case 'calculator':
      return calculated(given.values);
    case 'end_call':
      return { result: JSON.stringify({ status: 'success' }), end: { reason: reasonOf(tool, given.values) } };
    case 'transfer_call':
      return await transferred({ deps, input, tool });
    case 'native':
      return await optedOut({ deps, input, definition: tool.definition });
    default:
      return failed('this tool cannot be used in this conversation');
  }
}

/** Only a phone call can be transferred. The Workflow does it, because it involves legs and takes minutes. */
async function transferred({
  deps: { db },
  input: { callId: id, organizationId },
  tool,
}: {
  deps: ConversationDeps;
  input: RunToolInput;
  tool: ToolRow;
}): Promise<ToolOutcome> {
  const { channel } = await getRow(db, calls, { id, organizationId });
  if (channel === 'phone')
    return {
      result: '',
      end: null,
      transfers: {
        readsContext: own(ownObject(tool.definition, 'config'), 'destination_source') === 'context_mapping',
      },
    };
  const reason = channel === 'web' ? 'webrtc_not_supported' : 'textchat_not_supported';
  return { result: transferResult({ kind: 'failed', reason }), end: null };
}

/** The opt-out takes effect at once, however the call ends. */
async function optedOut({
  deps,
  input,
  definition,
}: {
  deps: ConversationDeps;
  input: RunToolInput;
  definition: JsonObject;
}): Promise<ToolOutcome> {
  const optOut = nativeAction(definition);
  if (optOut === null) return failed('this tool cannot be used in this conversation');
  const isNoted = await noteOptOut({
    deps,
    input: { callId: input.callId, organizationId: input.organizationId, optOut },
  });
  return isNoted
    ? { result: JSON.stringify({ status: 'success', data: { [optOut]: true } }), end: null }
    : failed('this conversation has no phone number that could be suppressed');
}

function failed(error: string): ToolOutcome {
  return { result: errorText(error), end: null };
}

function errorText(error: string): string {
  return JSON.stringify({ status: 'error', status_code: null, error });
}

function calculated(values: JsonObject): ToolOutcome {
  const outcome = calculate(ownText(values, 'expression') ?? '');
  return outcome.kind === 'invalid'
    ? failed(outcome.error)
    : { result: JSON.stringify({ status: 'success', data: outcome.value }), end: null };
}

const maxReasonLength = 255;

/** Null unless the tool asks for a reason (contract 8.4). */
function reasonOf({ definition }: ToolRow, values: JsonObject): string | null {
  if (own(ownObject(definition, 'config'), 'endCallReason') !== true) return null;
  const reason = Array.from((ownText(values, 'reason') ?? '').trim())
    .slice(0, maxReasonLength)
    .join('');
  return reason === '' ? null : reason;
}

interface HttpRun {
  deps: ConversationDeps & FetchDeps;
  input: RunToolInput;
  signal: AbortSignal;
  tool: ToolRow;
  given: Extract<ReadArguments, { kind: 'read' }>;
}

async function runHttpTool({ deps, input, signal, tool, given }: HttpRun): Promise<string> {
  const { callId: id, organizationId } = input;
  const call = await getRow(deps.db, calls, { id, organizationId });
  if (call.startedAt === null) throw new InvariantError('The call was not admitted');
  const rendering = { variables: toolVariables(call), now: call.startedAt };
  const built = buildToolRequest({
    config: openedConfig(deps.secrets, tool),
    values: given.values,
    presets: {},
    rendering,
  });
  if (built.kind === 'invalid') return errorText(built.error);
  const { request } = built;
  const credential = await resolveCredentialHeaders({
    db: deps.db,
    secrets: deps.secrets,
    organizationId,
    credentialUuid: request.credentialUuid,
    url: request.url,
  });

  const claim = await claimToolRun({ deps, input });
  if (claim.kind === 'recorded') return claim.result;
  const isKnown = claim.kind === 'mine' || request.method === 'GET';
  // guarantee: tool-request-sent-at-most-once
  const result = isKnown
    ? JSON.stringify({
        ...toToolAnswer(await sendToolRequest({ http: deps.http, request, credential, signal })),
        ...(given.ignored.length === 0 ? {} : { ignored_arguments: given.ignored }),
      })
    : errorText(outcomeUnknown);
  await recordToolRun({ deps, input, result });
  return result;
}

const outcomeUnknown =
  'the request was interrupted and may or may not have been carried out; its outcome is unknown and it was not sent again';
