import type { EntityManager } from 'typeorm';
import type { InitiatedCall } from '../../../contract/telephony.ts';
import { findRow, getRow, insertRow, updateRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { organizationPreferences } from '../../../db/tables/organization-preferences.ts';
import { outboundCall, type OutboundCall } from '../../../domain/call/outbound-call.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/graph/definition.ts';
import {
  requireActive,
  requireRunnable,
  runnableTestVersion,
  type RunnableVersion,
} from '../../agents/index.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';
import { freshCall } from './fresh-call.ts';
import { beginCall, type BegunCall } from './begin.ts';
import {
  findOutbound,
  readPolicy,
  type OutboundConfiguration,
  type TelephonyDeps,
} from '../../telephony/index.ts';
import { requireFreeLine } from './free-line.ts';
import { callOfAnotherAgent, toInitiatedCall } from './mapper.ts';
import {
  badRequest,
  requireDayLeft,
  requireDialable,
  requireConnection,
  requireNotSuppressed,
  requireCallerNumber,
} from './refusals.ts';

export interface InitiateCallInput {
  agentId: number;
  /** Null for the organization's test number. */
  phoneNumber: string | null;
  /** A call that was made ahead and is to begin now. */
  callId: number | null;
  initialContext: JsonObject;
  configurationId: number | null;
  fromNumberId: number | null;
}

/**
 * The editor's test call by phone (contract 5.5): the draft, else the published version, with its test
 * values; a call that was made ahead keeps the version it is pinned to. The checks are in the order of a
 * trigger's (contract 5.2).
 *
 * Throws PreconditionError (400, and 409 for a call that has already begun), ValidationError (a number that
 * cannot be dialed), NotFoundError, GraphError (422), LimitError (429), UnavailableError.
 */
export async function initiateCall({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: TelephonyDeps;
  input: InitiateCallInput;
}): Promise<InitiatedCall> {
  return toInitiatedCall(await beginCall(ctx, deps, (tx) => writeInitiated(tx, ctx, { deps, input })));
}

async function writeInitiated(
  tx: Write,
  ctx: ServiceContext,
  { deps, input }: { deps: TelephonyDeps; input: InitiateCallInput },
): Promise<BegunCall> {
  const ahead = await findAhead(tx, ctx, input);
  const target = await findTarget(tx, ctx, { agentId: input.agentId, ahead });
  const configuration = requireConnection(
    await findOutbound(tx, ctx, { ...deps, id: input.configurationId }),
  );
  const phoneNumber = input.phoneNumber ?? (await testNumberOf(tx, ctx));
  const { id: phoneNumberId } = requireCallerNumber(ctx, configuration, input.fromNumberId);
  const policy = await readPolicy(tx, ctx.organizationId);
  requireDialable(policy, phoneNumber, configuration);
  await requireNotSuppressed(tx, ctx.organizationId, phoneNumber);
  if (ahead !== null) requireNotBegun(ahead);
  await requireDayLeft(tx, ctx, { policy, limits: deps.limits, versionId: target.version.id });
  await requireFreeLine(tx, ctx, { limits: deps.limits, direction: 'outbound' });
  const beginning = beginningOf(ctx, {
    input: { ...input, phoneNumber },
    configuration,
    phoneNumberId,
    underneath: ahead?.initialContext ?? target.version.testValues,
  });
  const call =
    ahead === null
      ? await insertRow(tx, calls, freshCall(ctx, target, beginning))
      : await beginAhead(tx, ahead, beginning);
  await appendAudit(tx, {
    action: 'call.initiated',
    subjectKind: 'call',
    subjectId: call.id,
    changes: { agentId: target.agent.id, version: target.version.number, configurationId: configuration.id },
  });
  return { call, version: target.version };
}

async function testNumberOf(tx: EntityManager, { organizationId }: ServiceContext): Promise<string> {
  const preferences = await findRow(tx, organizationPreferences, { organizationId });
  const number = preferences?.testPhoneNumber ?? '';
  if (number === '') throw badRequest('No phone number was given, and the organization has no test number');
  return number;
}

/** The call that was made ahead, locked, so that only one of two requests begins it. */
async function findAhead(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  { callId, agentId }: InitiateCallInput,
): Promise<CallRow | null> {
  if (callId === null) return null;
  const call = await findRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
  if (call === null) throw badRequest('Workflow run not found');
  if (call.agentId !== agentId) throw badRequest(callOfAnotherAgent);
  return call;
}

async function findTarget(
  tx: EntityManager,
  ctx: ServiceContext,
  { agentId, ahead }: { agentId: number; ahead: CallRow | null },
): Promise<RunnableVersion> {
  const { organizationId } = ctx;
  const agent = await findRow(tx, agents, { id: agentId, organizationId });
  if (agent === null) throw new NotFoundError('Workflow not found');
  requireActive(agent);
  if (ahead === null) return await runnableTestVersion(tx, ctx, agent);
  const version = await getRow(tx, agentVersions, { id: ahead.versionId, organizationId });
  return await requireRunnable(tx, ctx, { agent, version });
}

function requireNotBegun({ state }: CallRow): void {
  if (state === 'created') return;
  throw new PreconditionError(
    state === 'ended' || state === 'refused'
      ? 'Workflow run is over'
      : 'Workflow run already has an active call',
  );
}

function beginningOf(
  ctx: ServiceContext,
  {
    input,
    configuration,
    phoneNumberId,
    underneath,
  }: {
    input: InitiateCallInput & { phoneNumber: string };
    configuration: OutboundConfiguration;
    phoneNumberId: number;
    underneath: JsonObject;
  },
): OutboundCall {
  const { phoneNumber, fromNumberId, initialContext } = input;
  return outboundCall(
    {
      underneath,
      provider: configuration.provider,
      phoneNumber,
      configurationId: configuration.id,
      fromNumberId,
      phoneNumberId,
      trigger: null,
      given: initialContext,
    },
    (below) => ctx.ids.integer(below),
  );
}

/** Begins a call that was made ahead. It keeps its name. */
async function beginAhead(
  tx: EntityManager,
  ahead: CallRow,
  { mode, channel, direction, state, initialContext, ...begun }: OutboundCall,
): Promise<CallRow> {
  const { configurationId, phoneNumberId, callerNumber, calledNumber } = begun;
  const numbers = { configurationId, phoneNumberId, callerNumber, calledNumber };
  const change = { mode, channel, direction, state, ...numbers, initialContext };
  await updateRows(tx, calls, { where: { id: ahead.id, organizationId: ahead.organizationId }, change });
  return { ...ahead, ...change };
}
