import type { Again, CallActivities, JudgmentOutcome, QaNodeRef } from '../../activities/call.ts';
import { activitiesOf } from '../proxies.ts';
import { plain } from './details.ts';
import { rootOf } from './failures.ts';

/** The ended call, and by which judgment; without `again`, by its own. */
export interface JudgedCall {
  callId: number;
  organizationId: number;
  again?: Again;
  /** Replaces the maximum time of one QA node. */
  judgmentLimitMs?: number;
}

/**
 * Runs all QA nodes on the ended call in parallel. A failed judgment never throws, because webhooks are sent
 * afterwards.
 */
export async function judge(call: JudgedCall, nodes: readonly QaNodeRef[]): Promise<JudgmentOutcome[]> {
  return await Promise.all(nodes.map((node) => judgeBy(call, node)));
}

async function judgeBy(
  { callId, organizationId, again, judgmentLimitMs }: JudgedCall,
  { nodeId, name }: QaNodeRef,
): Promise<JudgmentOutcome> {
  const subject = { callId, organizationId, nodeId, ...(again === undefined ? {} : { again }) };
  const shown = plain(name) || plain(nodeId);
  const { judgeCall } = activitiesOf<CallActivities>(
    'judgment',
    `Judge the call · ${shown}`,
    judgmentLimitMs === undefined ? {} : { scheduleToCloseTimeout: judgmentLimitMs },
  );
  try {
    return await judgeCall(subject);
  } catch (error) {
    const { message } = rootOf(error);
    // Only a complete judgment replaces the former one, so there is nothing to record for one node.
    if (again !== undefined) return { kind: 'failed', error: message };
    const { giveUpJudgment } = activitiesOf<CallActivities>(
      'quick',
      `Record that there is no judgment · ${shown}`,
    );
    return await giveUpJudgment({ ...subject, error: message });
  }
}
