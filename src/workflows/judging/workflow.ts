import { setCurrentDetails } from '@temporalio/workflow';
import type { Again, CallActivities, ClosedJudging, QaNodeRef } from '../../activities/call.ts';
import { judge } from '../call/judge.ts';
import { activitiesOf } from '../proxies.ts';
import { keyword, showAttributes } from '../search-attributes.ts';

/** Which call to judge, and by what. Only ids and names of nodes. */
export interface JudgeAgainInput {
  callId: number;
  callUuid: string;
  organizationId: number;
  organizationUuid: string;
  again: Again;
  qaNodes: QaNodeRef[];
  /** Replaces the maximum time of one QA node. */
  judgmentLimitMs?: number;
}

const said: Record<ClosedJudging, string> = {
  judged: '**Judged again**.',
  failed: '**Failed**. The former judgment stays.',
  over: '**Over** before its end: the call was erased.',
};

/** Judges an ended call again. The former judgment stays until all QA nodes are done. */
export async function judgeAgainWorkflow({
  organizationUuid,
  qaNodes,
  ...call
}: JudgeAgainInput): Promise<void> {
  const { callId, organizationId, again } = call;
  showAttributes([keyword('OrgId', organizationUuid)]);
  const outcomes = await judge(call, qaNodes);
  const { closeJudging } = activitiesOf<CallActivities>('quick', 'Replace the judgment');
  setCurrentDetails(said[await closeJudging({ callId, organizationId, again, outcomes })]);
}
