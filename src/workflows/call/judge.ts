import type { CallActivities, JudgmentOutcome, QaNodeRef } from '../../activities/call.ts';
import { activitiesOf } from '../proxies.ts';
import { plain } from './details.ts';
import { rootOf } from './failures.ts';
import type { CallInput } from './messages.ts';

/**
 * Runs all QA nodes on the ended call in parallel. A failed judgment never throws, because webhooks are sent
 * afterwards.
 */
export async function judge(input: CallInput, nodes: readonly QaNodeRef[]): Promise<JudgmentOutcome[]> {
  return await Promise.all(nodes.map((node) => judgeBy(input, node)));
}

async function judgeBy(
  { callId, organizationId, judgmentLimitMs }: CallInput,
  { nodeId, name }: QaNodeRef,
): Promise<JudgmentOutcome> {
  const subject = { callId, organizationId, nodeId };
  const shown = plain(name) || plain(nodeId);
  const { judgeCall } = activitiesOf<CallActivities>(
    'judgment',
    `Judge the call · ${shown}`,
    judgmentLimitMs === undefined ? {} : { scheduleToCloseTimeout: judgmentLimitMs },
  );
  try {
    return await judgeCall(subject);
  } catch (error) {
    const { giveUpJudgment } = activitiesOf<CallActivities>(
      'quick',
      `Record that there is no judgment · ${shown}`,
    );
    return await giveUpJudgment({ ...subject, error: rootOf(error).message });
  }
}
