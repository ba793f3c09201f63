import type { TriggeredCall } from '../../../contract/telephony.ts';
import { insertRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { outboundCall } from '../../../domain/call/outbound-call.ts';
import { InvariantError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/graph/definition.ts';
import { findTriggeredVersion, type TriggerAddress } from '../../agents/index.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';
import { freshCall } from './fresh-call.ts';
import { beginCall, type BegunCall } from './begin.ts';
import { findOutbound, readPolicy, type TelephonyDeps } from '../../telephony/index.ts';
import { requireFreeLine } from './free-line.ts';
import { toTriggeredCall } from './mapper.ts';
import {
  requireDayLeft,
  requireDialable,
  requireForTrigger,
  requireNotSuppressed,
  requireCallerNumber,
} from './refusals.ts';

export interface TriggerCallInput {
  address: TriggerAddress;
  isTest: boolean;
  phoneNumber: string;
  initialContext: JsonObject;
  configurationId: number | null;
  fromNumberId: number | null;
}

/**
 * Calls a person with the agent of a trigger (contract 5.1). The checks are in the order of contract 5.2.
 *
 * Throws NotFoundError, ForbiddenError (a path of another organization), GraphError (422), PreconditionError
 * (400: no ready connection, or no such number), ValidationError (a number that cannot be dialed), LimitError
 * (429), UnavailableError.
 */
export async function triggerCall({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: TelephonyDeps;
  input: TriggerCallInput;
}): Promise<TriggeredCall> {
  return toTriggeredCall(await beginCall(ctx, deps, (tx) => insertTriggered(tx, ctx, { deps, input })));
}

async function insertTriggered(
  tx: Write,
  ctx: ServiceContext,
  { deps, input }: { deps: TelephonyDeps; input: TriggerCallInput },
): Promise<BegunCall> {
  const { address, isTest, phoneNumber, initialContext, configurationId, fromNumberId } = input;
  const target = await findTriggeredVersion(tx, ctx, { address, isTest });
  const configuration = requireForTrigger(await findOutbound(tx, ctx, { ...deps, id: configurationId }));
  const { id: phoneNumberId } = requireCallerNumber(ctx, configuration, fromNumberId);
  const policy = await readPolicy(tx, ctx.organizationId);
  requireDialable(policy, phoneNumber, configuration);
  // guarantee: suppressed-number-refused-on-request
  await requireNotSuppressed(tx, ctx.organizationId, phoneNumber);
  await requireDayLeft(tx, ctx, { policy, limits: deps.limits, versionId: target.version.id });
  await requireFreeLine(tx, ctx, { limits: deps.limits, direction: 'outbound' });
  const trigger = {
    isTest,
    path: address.kind === 'path' ? address.path : null,
    agentUuid: target.agent.uuid,
    ...keyOf(ctx),
  };
  const source = {
    underneath: {},
    provider: configuration.provider,
    phoneNumber,
    configurationId: configuration.id,
    fromNumberId,
    phoneNumberId,
    trigger,
    given: initialContext,
  };
  const call = await insertRow(
    tx,
    calls,
    freshCall(
      ctx,
      target,
      outboundCall(source, (below) => ctx.ids.integer(below)),
    ),
  );
  await appendAudit(tx, {
    action: 'call.triggered',
    subjectKind: 'call',
    subjectId: call.id,
    changes: {
      agentId: target.agent.id,
      version: target.version.number,
      configurationId: configuration.id,
      isTest,
    },
  });
  return { call, version: target.version };
}

/** Triggers accept API keys only (contract 5.1). */
function keyOf({ actor }: ServiceContext): { apiKeyId: number; apiKeyCreatedBy: number } {
  if (actor.kind !== 'api_key') throw new InvariantError('A trigger was called without an API key');
  return { apiKeyId: actor.apiKeyId, apiKeyCreatedBy: actor.userId };
}
