import { Context } from '@temporalio/activity';
import {
  answerCall,
  attachStream,
  connectTransfer,
  dialCall,
  dialTransfer,
  findMediaBegin,
  hangUp,
  pollLeg,
  reconcileDial,
  speakApology,
  startHold,
  stopHold,
  type Attached,
  type Connected,
  type ConnectTransferInput,
  type DialCallInput,
  type Dialed,
  type DialTransferInput,
  type LegInput,
  type PhoneCallRef,
  type PhoneDeps,
  type ReconciledDial,
  type TransferDialed,
} from '../services/telephony/index.ts';
import {
  resolveTransfer,
  type ResolvedTransfer,
  type ResolveTransferInput,
} from '../services/calls/index.ts';
import { translated, withAttempts } from './attempts.ts';

export type {
  Attached,
  Connected,
  Dialed,
  DialCallInput,
  DialTransferInput,
  ReconciledDial,
  TransferDialed,
} from '../services/telephony/index.ts';
export type { ResolvedTransfer } from '../services/calls/index.ts';

export type TelephonyActivities = ReturnType<typeof createTelephonyActivities>;

/** Carrier commands of `callWorkflow`; each calls one function of the services. */
export function createTelephonyActivities(deps: PhoneDeps) {
  const { log } = deps;
  return {
    /** Dials the callee, at most once. There is one attempt; `reconcileDial` finds an unknown outcome. */
    async dialCall(input: DialCallInput): Promise<Dialed> {
      return await translated({ log, ids: idsOf(input) }, () => dialCall({ deps, input }));
    },

    /** Looks up the outcome of a dial, without dialing. */
    async reconcileDial(input: DialCallInput): Promise<ReconciledDial> {
      return await translated({ log, ids: idsOf(input) }, () => reconcileDial({ deps, input }));
    },

    /** Answers an incoming call. */
    async answerCall(
      input: LegInput & { generation: number; legId: string | null; sessionId: string | null },
    ): Promise<'done' | 'over'> {
      return await translated({ log, ids: idsOf(input) }, () => answerCall({ deps, input }));
    },

    /** Hangs up a leg. It is idempotent. */
    async hangUp(input: LegInput & { step: string }): Promise<void> {
      await translated({ log, ids: idsOf(input) }, () => hangUp({ deps, input }));
    },

    /** Moves the leg's stream to the call's newest seat. */
    async attachStream(input: LegInput & { generation: number; attempt: number }): Promise<Attached> {
      const context = Context.current();
      return await translated({ log, ids: { ...idsOf(input), generation: input.generation } }, () =>
        attachStream({ deps, input, pause: (ms) => context.sleep(ms) }),
      );
    },

    async speakApology(input: LegInput): Promise<'done' | 'over'> {
      return await translated({ log, ids: idsOf(input) }, () => speakApology({ deps, input }));
    },

    /** When the call's stream began, ISO 8601; null before. */
    async findMediaBegin(input: PhoneCallRef): Promise<string | null> {
      return await translated({ log, ids: idsOf(input) }, () => findMediaBegin({ deps, input }));
    },

    async pollLeg(input: LegInput): ReturnType<typeof pollLeg> {
      return await translated({ log, ids: idsOf(input) }, () => pollLeg({ deps, input }));
    },

    async startHold(input: LegInput & { step: string }): Promise<'done' | 'over'> {
      return await translated({ log, ids: idsOf(input) }, () => startHold({ deps, input }));
    },

    async stopHold(input: LegInput & { step: string }): Promise<'done' | 'over'> {
      return await translated({ log, ids: idsOf(input) }, () => stopHold({ deps, input }));
    },

    /** Finds the destination of a transfer, which stays in MySQL. */
    async resolveTransfer(input: ResolveTransferInput): Promise<ResolvedTransfer> {
      const ids = {
        callId: input.callId,
        organizationId: input.organizationId,
        turnIndex: input.turnIndex,
        callIndex: input.callIndex,
      };
      return await withAttempts({ log, ids }, (signal) => resolveTransfer({ deps, input, signal }));
    },

    /** Dials the destination, at most once. */
    async dialTransfer(input: DialTransferInput): Promise<TransferDialed> {
      return await translated({ log, ids: idsOf(input) }, () => dialTransfer({ deps, input }));
    },

    /** Joins caller and destination. */
    async connectTransfer(input: ConnectTransferInput): Promise<Connected> {
      return await translated({ log, ids: idsOf(input) }, () => connectTransfer({ deps, input }));
    },
  };
}

function idsOf({ callId, organizationId }: PhoneCallRef) {
  return { callId, organizationId };
}
