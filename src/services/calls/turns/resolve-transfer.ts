import { findRow, getRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { tools, type ToolRow } from '../../../db/tables/tools.ts';
import { readArguments } from '../../../domain/agent-tools/arguments.ts';
import { buildToolRequest } from '../../../domain/agent-tools/request.ts';
import type { Checkpoint } from '../../../domain/call/checkpoint.ts';
import { gatheredContext } from '../../../domain/call/gathered-context.ts';
import { liveResults, mergeExtractions, type ExtractionResult } from '../../../domain/extraction/merge.ts';
import { isObject, own, ownObject, ownText, type JsonObject } from '../../../domain/graph/definition.ts';
import { isAllowed } from '../../../domain/telephony/allowed-destinations.ts';
import {
  asksResolver,
  chooseDestination,
  readDestination,
  transferTimeoutSeconds,
  type ChosenBy,
} from '../../../domain/telephony/transfer-destination.ts';
import type { TransferFailure } from '../../../domain/telephony/transfer-result.ts';
import { toolVariables } from '../../../domain/template/variables.ts';
import { openedConfig, sendToolRequest } from '../../agents/index.ts';
import { claimToolRun, recordToolRun } from './tool-claim.ts';
import type { RunToolInput } from './run-tool.ts';
import { resolveCredentialHeaders } from '../../identity/index.ts';
import {
  findDialLimit,
  policyFault,
  readPolicy,
  parsed,
  readKept,
  type FoundDestination as Found,
  type PhoneDeps,
} from '../../telephony/index.ts';

export interface ResolveTransferInput extends RunToolInput {
  /** The conversation's checkpoint, and the values extracted from it, the last words included. */
  checkpoint: Checkpoint;
  extractions: ExtractionResult[];
}

/** The destination is stored only in MySQL. `message` is what the resolver wants the agent to say first. */
export type ResolvedTransfer =
  | { kind: 'ready'; timeoutSeconds: number; message: string | null }
  | { kind: 'failed'; reason: TransferFailure };

/**
 * Finds the destination of a transfer (contract 12.7) and stores it for the dial. A resolver is asked at most
 * once for its place in the call. A failure is a result that the model reads. Throws UnavailableError, and
 * the reason of `signal`.
 */
export async function resolveTransfer({
  deps,
  input,
  signal,
}: {
  deps: PhoneDeps;
  input: ResolveTransferInput;
  signal: AbortSignal;
}): Promise<ResolvedTransfer> {
  const { organizationId, call: request } = input;
  const tool = await findRow(deps.db, tools, { uuid: request.toolUuid, organizationId, state: 'active' });
  if (tool === null || request.values === null) return { kind: 'failed', reason: 'execution_error' };
  const read = readArguments(tool.definition, request.values);
  if (read.kind === 'invalid') return { kind: 'failed', reason: 'execution_error' };
  const config = openedConfig(deps.secrets, tool);
  const found = await findDestination({ deps, input, config, values: read.values, signal, tool });
  if (found.kind === 'failed') return found;
  const message = found.kept.custom_message;
  return { kind: 'ready', timeoutSeconds: transferTimeoutSeconds(config), message };
}

interface Finding {
  deps: PhoneDeps;
  input: ResolveTransferInput;
  tool: ToolRow;
  config: JsonObject;
  values: JsonObject;
  signal: AbortSignal;
}

async function findDestination(finding: Finding): Promise<Found> {
  const { deps, input, config, values } = finding;
  const claim = await claimToolRun({ deps, input });
  if (claim.kind === 'recorded') return readKept(claim.result);
  const call = await getRow(deps.db.manager, calls, {
    id: input.callId,
    organizationId: input.organizationId,
  });
  const gathered = gatheredContext({
    base: call.gatheredContext,
    extracted: mergeExtractions(liveResults(input.checkpoint, input.extractions)),
    nodesVisited: input.checkpoint.nodesVisited,
    outcome: null,
  });
  const rendering = {
    variables: toolVariables({ initialContext: call.initialContext, gatheredContext: gathered }),
    now: call.startedAt ?? call.createdAt,
  };
  const isAsked = asksResolver(config);
  // The resolver was already asked, with an unknown outcome. It may book or announce something, so it is not
  // asked again.
  if (isAsked && claim.kind === 'unknown') return { kind: 'failed', reason: 'resolver_unknown' };
  const chosen = isAsked ? null : chooseDestination({ config, values, rendering, gathered });
  const found: Found =
    chosen === null
      ? await askResolver(finding, rendering)
      : { kind: 'found', kept: { destination: chosen.text, custom_message: null } };
  const judged = await judge(deps, input.organizationId, { found, by: chosen?.by ?? 'conversation', config });
  await recordToolRun({
    deps,
    input,
    result: JSON.stringify(judged.kind === 'found' ? judged.kept : { failed: judged.reason }),
  });
  return judged;
}

/**
 * Only what the agent's maker allows (contract 12.7) and the organization dials (contract 5.7) is stored for
 * the dial, which asks the organization's rule again.
 */
async function judge(
  { db, secrets, clock, limits }: PhoneDeps,
  organizationId: number,
  { found, by, config }: { found: Found; by: ChosenBy; config: JsonObject },
): Promise<Found> {
  if (found.kind === 'failed') return found;
  const destination = readDestination(found.kept.destination);
  if (destination === null) return { kind: 'failed', reason: 'no_destination' };
  // guarantee: dynamic-transfer-goes-to-listed
  if (!isAllowed({ destination, by }, config)) return { kind: 'failed', reason: 'destination_not_allowed' };
  const policy = await readPolicy(db, organizationId);
  if (policyFault(policy, destination) !== null) return { kind: 'failed', reason: 'destination_not_allowed' };
  const at = { db, organizationId, now: clock.now() };
  if ((await findDialLimit({ at, policy, secrets, limits, versionId: null })) !== null)
    return { kind: 'failed', reason: 'daily_limit' };
  return { kind: 'found', kept: { ...found.kept, destination } };
}

async function askResolver(
  { deps, input, config, values, signal }: Finding,
  rendering: { variables: Readonly<Record<string, unknown>>; now: Date },
): Promise<Found> {
  const resolver = ownObject(config, 'resolver');
  const built = buildToolRequest({
    config: { ...resolver, method: 'POST', timeout_ms: own(resolver, 'timeout_ms') ?? 3000 },
    values,
    presets: {},
    rendering,
  });
  if (built.kind === 'invalid') return { kind: 'failed', reason: 'resolver_error' };
  const credential = await resolveCredentialHeaders({
    ...deps,
    organizationId: input.organizationId,
    credentialUuid: built.request.credentialUuid,
    url: built.request.url,
  });
  const outcome = await sendToolRequest({
    http: deps.http,
    request: built.request,
    credential,
    signal,
  });
  if (outcome.kind !== 'answered')
    return {
      kind: 'failed',
      reason:
        outcome.kind === 'failed' && outcome.reason === 'timeout' ? 'resolver_timeout' : 'resolver_error',
    };
  if (outcome.statusCode < 200 || outcome.statusCode > 299)
    return { kind: 'failed', reason: 'resolver_error' };
  return readAnswer(outcome.bodyText);
}

/** `{"transfer_context":{"destination","custom_message"?}}` */
function readAnswer(text: string): Found {
  const answer = parsed(text);
  const context = isObject(answer) ? ownObject(answer, 'transfer_context') : {};
  const destination = ownText(context, 'destination') ?? '';
  if (destination === '') return { kind: 'failed', reason: 'resolver_invalid_response' };
  const message = (ownText(context, 'custom_message') ?? '').trim();
  return { kind: 'found', kept: { destination, custom_message: message === '' ? null : message } };
}
