import { callWorkflowId } from '../../../domain/temporal-ids.ts';
import type { Carriers } from '../../../providers/carrier/port.ts';
import type { FinalizeDeps } from '../../calls/index.ts';
import { type ServiceContext, write } from '../../kernel/index.ts';
import { endWithin } from '../../operations/index.ts';
import { hangUpAll } from '../../telephony/index.ts';
import { eraseEndedCall, type EraseCallDeps, type ErasedCall } from './erase-ended-call.ts';
import type { FoundCall } from './find-person.ts';
import type { UploadedFileDeps } from './uploaded-files.ts';

/** What the erasure of a person needs. */
export interface EraseDeps extends EraseCallDeps {
  /** For the final usage of live calls that the erasure ends. */
  prices: FinalizeDeps['prices'];
  /** Accounts at carriers, to hang up live legs. */
  accounts: Carriers;
  /** Storage of contact files; absent if the installation has none. */
  uploaded?: UploadedFileDeps | undefined;
}

/** Ends a call if it is live, then erases it. A repeated run finds nothing. Throws UnavailableError. */
export async function eraseCall({
  ctx,
  deps,
  call,
}: {
  ctx: ServiceContext;
  deps: EraseDeps;
  call: FoundCall;
}): Promise<ErasedCall> {
  if (call.isOver) return await eraseEndedCall({ ctx, deps, call });
  const { callId, callUuid } = call;
  const { runs, wasRunning } = await deps.histories.forget(callWorkflowId(callUuid));
  // Hangs up before the row says that the call is over: such a call must have no live leg.
  // guarantee: erasure-ends-live-call
  await hangUpAll({
    deps: { ...ctx, accounts: deps.accounts },
    input: { callId, organizationId: ctx.organizationId },
  });
  await write(ctx, (tx) => endWithin(tx, { ctx, prices: deps.prices, input: { callId, wasStopped: true } }));
  const rest = await eraseEndedCall({ ctx, deps, call });
  return { ...rest, ended: rest.ended + Number(wasRunning), forgotten: rest.forgotten + runs };
}
