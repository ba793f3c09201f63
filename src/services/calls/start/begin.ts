import { getRow } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import { InvariantError, UnavailableError } from '../../../domain/errors.ts';
import { refuseCall } from './refuse.ts';
import { inTurn, type ServiceContext, once, type Write, write } from '../../kernel/index.ts';
import type { TelephonyDeps } from '../../telephony/index.ts';

export interface BegunCall {
  call: CallRow;
  version: AgentVersionRow;
}

/**
 * Commits the row of a phone call, then starts the call. `prepare` makes all checks and writes the row, in
 * the transaction. A request that is repeated with its Idempotency-Key continues with the row that it made,
 * unless that call was refused.
 *
 * Throws what `prepare` and the carrier throw; UnavailableError when the call cannot be started, after its
 * row became `refused`.
 */
export async function beginCall(
  ctx: ServiceContext,
  { carriers }: TelephonyDeps,
  prepare: (tx: Write) => Promise<BegunCall>,
): Promise<BegunCall> {
  const { organizationId } = ctx;
  const begin = async (tx: Write): Promise<BegunCall> => {
    const make = async () => {
      const answer = await prepare(tx);
      return { id: answer.call.id, answer };
    };
    const again = async (id: number) => {
      const call = await getRow(tx, calls, { id, organizationId });
      return call.state === 'refused'
        ? null
        : { call, version: await getRow(tx, agentVersions, { id: call.versionId, organizationId }) };
    };
    // guarantee: call-listed-before-dial
    return await once(tx, { kind: 'call', make, again });
  };
  // guarantee: waiting-calls-leave-connections
  const begun = await inTurn(ctx, () => write(ctx, begin));
  await start(ctx, { carriers }, begun.call);
  return begun;
}

async function start(ctx: ServiceContext, { carriers }: TelephonyDeps, call: CallRow): Promise<void> {
  const carrier = carriers.get(call.mode);
  if (carrier === undefined) throw new InvariantError('No carrier dials for the provider of this call');
  try {
    await carrier.startCall(call);
  } catch (error) {
    if (error instanceof UnavailableError) await refuseCall(ctx, call);
    throw error;
  }
}
