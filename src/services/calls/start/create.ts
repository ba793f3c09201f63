import type { CreatedWorkflowRun, RunMode } from '../../../contract/calls.ts';
import { findRow, getRow, insertRow } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { calls, type CallDirection, type CallRow } from '../../../db/tables/calls.ts';
import { channelOf, type CallChannel } from '../../../domain/call/channel.ts';
import { rehearsedNumbers } from '../../../domain/call/call-numbers.ts';
import { spokenTestContext, testContext } from '../../../domain/call/initial-context.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { ownText, type JsonObject } from '../../../domain/graph/definition.ts';
import type { Tickets } from '../../../providers/secrets/tickets.ts';
import { runnableTestVersion } from '../../agents/index.ts';
import { appendAudit, type ServiceContext, once, type Write, write } from '../../kernel/index.ts';
import { offerWebCall } from './offer-web-call.ts';
import { freshCall } from './fresh-call.ts';
import { toCreatedRun } from '../records/mapper.ts';

export interface CreateCallInput {
  agentId: number;
  mode: RunMode;
  name: string;
  initialContext: JsonObject;
}

export interface CreateCallDeps {
  /** Seals the tokens for browsers. */
  tickets: Tickets;
}

/**
 * Makes a test call ahead, with the draft (else the published version), its test values and those of the request;
 * a later request begins it (contract 5.5, 6.2). Reconciliation refuses a call that was not begun within a day.
 *
 * Throws NotFoundError; GraphError (422) for a graph that cannot run; UnavailableError, without making the
 * call, when a browser would begin it and no media host takes calls.
 */
export async function createCall({
  ctx,
  deps: { tickets },
  input,
}: {
  ctx: ServiceContext;
  deps: CreateCallDeps;
  input: CreateCallInput;
}): Promise<CreatedWorkflowRun> {
  return await write(ctx, async (tx) => {
    const answerOf = async (call: CallRow) =>
      toCreatedRun(
        call,
        call.mode === 'web'
          ? await offerWebCall(tx, { tickets, clock: ctx.clock, call: { ...call, callId: call.id } })
          : null,
      );
    const make = async () => {
      const call = await insertCall(tx, ctx, input);
      return { id: call.id, answer: await answerOf(call) };
    };
    const again = async (id: number) =>
      await answerOf(await getRow(tx, calls, { id, organizationId: ctx.organizationId }));
    return await once(tx, { kind: 'call', make, again });
  });
}

async function insertCall(
  tx: Write,
  ctx: ServiceContext,
  { agentId, mode, name, initialContext: given }: CreateCallInput,
): Promise<CallRow> {
  const agent = await findRow(tx, agents, { id: agentId, organizationId: ctx.organizationId });
  if (agent === null) throw new NotFoundError('Workflow not found');
  const runnable = await runnableTestVersion(tx, ctx, agent);
  const channel = channelOf(mode);
  const contextOf = channel === 'text' ? testContext : spokenTestContext;
  const values = contextOf(runnable.version.testValues, given);
  const direction = directionOf(channel, values);
  const initialContext = channel === 'web' ? { ...values, direction } : values;
  const beginning = {
    name,
    mode,
    channel,
    direction,
    source: 'editor',
    state: 'created',
    isTest: true,
    ...rehearsedNumbers(initialContext),
    initialContext,
    annotations: {},
  } as const;
  const call = await insertRow(tx, calls, freshCall(ctx, runnable, beginning));
  await appendAudit(tx, {
    action: 'call.created',
    subjectKind: 'call',
    subjectId: call.id,
    changes: { agentId, version: runnable.version.number, mode },
  });
  return call;
}

/**
 * A phone call that is made ahead is outbound. On other channels a person contacts the agent, unless the test
 * values say otherwise (contract 6.2). A web call has the direction among its values, as a phone call has
 * from the dial on.
 */
function directionOf(channel: CallChannel, values: JsonObject): CallDirection {
  return channel === 'phone' || ownText(values, 'direction')?.trim().toLowerCase() === 'outbound'
    ? 'outbound'
    : 'inbound';
}
