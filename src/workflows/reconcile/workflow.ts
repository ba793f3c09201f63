import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { ReconcileActivities } from '../../activities/reconcile.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { activitiesOf } from '../proxies.ts';
import { closeStray, handOver, importFrom, join, pace, restart } from './repairs.ts';

export interface ReconcileInput extends Partial<Progress> {
  /** Age below which a call or a delivery is left alone; declared in temporal.yaml. */
  graceMs?: number;
  /** How long ago a call may have ended whose webhooks are looked for; declared in temporal.yaml. */
  windowMs?: number;
}

/** What one reconciliation repaired; its result. */
export interface ReconcileResult {
  /** Calls that said they go on. */
  closed: number;
  /** Calls that had ended without their webhooks. */
  handedOver: number;
  /** Deliveries that said they go on. */
  restarted: number;
  /** Recordings of ended calls that lay in pieces. */
  joined: number;
  /** Campaigns that had something to do. */
  paced: number;
  /** Imports of contact files that a directory waited for. */
  imported: number;
  /** What could not be repaired; the next pass tries again. */
  failed: number;
}

/** Of earlier runs: set by continue-as-new only. */
interface Progress extends ReconcileResult {
  pass: Pass | null;
  /** Row id; what is looked at comes after it. */
  afterId: number;
}

type Pass = 'strays' | 'unsent' | 'lost' | 'unjoined' | 'unpaced' | 'unread';

const passAfter: Record<Pass, Pass | null> = {
  strays: 'unsent',
  unsent: 'lost',
  lost: 'unjoined',
  unjoined: 'unpaced',
  unpaced: 'unread',
  unread: null,
};

/** Pages of one run of this Workflow. */
const maxPages = 20;

/**
 * Repairs what says that it goes on while its Workflow is gone, terminated or failed from outside, or never
 * started: calls are closed, webhooks that were not handed over are, deliveries go on, recordings in pieces
 * are joined, campaigns are paced, imports made. One look at each; a Temporal Schedule (temporal.yaml) starts
 * it again and again, never two at once. What cannot be repaired does not keep the rest from it.
 */
export async function reconcileWorkflow(input: ReconcileInput = {}): Promise<ReconcileResult> {
  const { graceMs = timeoutsMs.reconcileGrace, windowMs = timeoutsMs.reconcileWindow, ...earlier } = input;
  const progress: Progress = {
    pass: 'strays',
    afterId: 0,
    closed: 0,
    handedOver: 0,
    restarted: 0,
    joined: 0,
    paced: 0,
    imported: 0,
    failed: 0,
    ...earlier,
  };
  for (let page = 0; page < maxPages && progress.pass !== null; page += 1) {
    const nextAfterId = await onePage(progress.pass, { progress, graceMs, windowMs });
    show(progress);
    progress.afterId = nextAfterId ?? 0;
    if (nextAfterId === null) progress.pass = passAfter[progress.pass];
  }
  const { pass, afterId, ...result } = progress;
  return pass === null
    ? result
    : await continueAsNew<typeof reconcileWorkflow>({ ...input, ...result, pass, afterId });
}

interface Limits {
  progress: Progress;
  graceMs: number;
  windowMs: number;
}

/** Row id to go on after; null when this was the last page of its kind. */
async function onePage(pass: Pass, { progress, graceMs, windowMs }: Limits): Promise<number | null> {
  const { afterId } = progress;
  switch (pass) {
    case 'strays': {
      const { findStrays } = activitiesOf<ReconcileActivities>('sweep', 'Look for calls without a Workflow');
      const { strays, nextAfterId } = await findStrays({ afterId, graceMs });
      for (const stray of strays) progress[await tried('closed', () => closeStray(stray))] += 1;
      return nextAfterId;
    }
    case 'unsent': {
      const { findUnsentCalls } = activitiesOf<ReconcileActivities>(
        'sweep',
        'Look for ended calls without their webhooks',
      );
      const { calls, nextAfterId } = await findUnsentCalls({ afterId, graceMs, windowMs });
      for (const call of calls) progress[await tried('handedOver', () => handOver(call))] += 1;
      return nextAfterId;
    }
    case 'lost': {
      const { findLostDeliveries } = activitiesOf<ReconcileActivities>(
        'sweep',
        'Look for webhooks without a Workflow',
      );
      const { deliveries, nextAfterId } = await findLostDeliveries({ afterId, graceMs });
      for (const delivery of deliveries) progress[await tried('restarted', () => restart(delivery))] += 1;
      return nextAfterId;
    }
    case 'unjoined': {
      const { findUnjoinedRecordings } = activitiesOf<ReconcileActivities>(
        'sweep',
        'Look for recordings in pieces',
      );
      const { calls, nextAfterId } = await findUnjoinedRecordings({ afterId, graceMs, windowMs });
      // guarantee: recording-call-workflow-terminated
      for (const call of calls) progress[await tried('joined', () => join(call))] += 1;
      return nextAfterId;
    }
    case 'unpaced': {
      const { findUnpacedCampaigns } = activitiesOf<ReconcileActivities>(
        'sweep',
        'Look for campaigns without a Workflow',
      );
      const { campaigns, nextAfterId } = await findUnpacedCampaigns({ afterId, graceMs });
      for (const campaign of campaigns) progress[await tried('paced', () => pace(campaign))] += 1;
      return nextAfterId;
    }
    case 'unread': {
      const { findLostImports } = activitiesOf<ReconcileActivities>(
        'sweep',
        'Look for imports without a Workflow',
      );
      const { imports, nextAfterId } = await findLostImports({ afterId });
      for (const lost of imports) progress[await tried('imported', () => importFrom(lost))] += 1;
      return nextAfterId;
    }
  }
}

/** What it is to be counted as. */
async function tried(
  repaired: Exclude<keyof ReconcileResult, 'failed'>,
  repair: () => Promise<void>,
): Promise<keyof ReconcileResult> {
  try {
    await repair();
    return repaired;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return 'failed';
  }
}

function show({ closed, handedOver, restarted, joined, paced, imported, failed }: ReconcileResult): void {
  setCurrentDetails(
    `**${closed} calls** were closed, the webhooks of **${handedOver} calls** handed over, **${restarted} webhooks** started again, **${joined} recordings** joined, **${paced} campaigns** paced and **${imported} imports** made again; ${failed} repairs failed.`,
  );
}
