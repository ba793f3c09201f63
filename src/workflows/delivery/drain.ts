import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { DrainActivities, SelectedDelivery } from '../../activities/drain.ts';
import { activitiesOf } from '../proxies.ts';
import { keyword, showAttributes } from '../search-attributes.ts';
import { wake } from './backlog.ts';
import type { DrainInput } from './messages.ts';
import { startDelivery } from './start.ts';

/** Maximum number of deliveries per run of this Workflow, at about fifteen events each. */
const maxPerRun = 200;

/**
 * Sends deliveries again, oldest first, each after the attempt of the previous one has ended. Every delivery
 * continues on its own schedule, independent of this Workflow.
 */
export async function drainWorkflow(input: DrainInput): Promise<void> {
  let { afterId, handled = 0 } = input;
  if (handled === 0) showAttributes([keyword('OrgId', input.organizationUuid)]);
  for (let taken = 0; taken < maxPerRun;) {
    const { selectDeliveries } = activitiesOf<DrainActivities>('quick', 'Look for the next deliveries');
    const page = await selectDeliveries({ selection: input.selection, afterId });
    if (page.length === 0) return setCurrentDetails(`**Done**: ${handled} webhooks were sent again.`);
    for (const each of page) {
      await sendAgain(each, input);
      afterId = each.id;
      handled += 1;
      taken += 1;
      setCurrentDetails(`**${handled} webhooks** were sent again so far.`);
    }
  }
  await continueAsNew<typeof drainWorkflow>({ ...input, afterId, handled });
}

async function sendAgain(
  delivery: SelectedDelivery,
  { organizationUuid, selection: { organizationId } }: DrainInput,
): Promise<void> {
  const { deliveryUuid, attempt } = delivery;
  // A Workflow that ends between start and signal is started by the second start.
  const request = delivery.isUnderWay ? undefined : { attempt };
  if (!(await started(delivery, organizationUuid)) && !(await wake(deliveryUuid, request)))
    await started(delivery, organizationUuid);
  if (delivery.isUnderWay) return;
  const { awaitAttempt } = activitiesOf<DrainActivities>('deliveryAttempt', `Wait for attempt ${attempt}`);
  await awaitAttempt({ organizationId, deliveryUuid, attempt });
}

/** Starts the delivery's Workflow; false when it is already running. */
async function started(
  { deliveryUuid, callUuid, attempt }: SelectedDelivery,
  organizationUuid: string,
): Promise<boolean> {
  return await startDelivery(
    { deliveryUuid, callUuid, organizationUuid, startedAttempt: attempt, resend: true },
    { staticSummary: 'Webhook, sent again' },
  );
}
