import { counted } from '../../domain/counted.ts';
import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { ReconcileActivities } from '../../activities/reconcile.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { activitiesOf } from '../proxies.ts';
import { closeOrphanedCall, handOver, importFrom, join, pace, restart } from './repairs.ts';

export interface ReconcileInput extends Partial<Progress> {
  /** Minimum age of the calls and deliveries to check; declared in temporal.yaml. */
  graceMs?: number;
  /** How long ago a call may have ended for its webhooks to be checked; declared in temporal.yaml. */
  windowMs?: number;
}

/** The result of one reconciliation: the number of repairs by kind. */
export interface ReconcileResult {
  /** Orphaned calls that were closed. */
  closed: number;
  /** Ended calls whose missing webhooks were sent. */
  handedOver: number;
  /** Pending deliveries without a Workflow. */
  restarted: number;
  /** Recordings of ended calls that were still in pieces. */
  joined: number;
  /** Campaigns that had work but no Workflow. */
  paced: number;
  /** Pending imports of contact files without a Workflow. */
  imported: number;
  /** Repairs that failed; the next pass repeats them. */
  failed: number;
}

/** State of earlier runs; set by continue-as-new only. */
interface Progress extends ReconcileResult {
  pass: Pass | null;
  /** Row id after which the next page begins. */
  afterId: number;
}

type Pass = 'orphanedCalls' | 'unsent' | 'lost' | 'unjoined' | 'unpaced' | 'unread';

/** Maximum number of pages per run of this Workflow. */
const maxPages = 20;

/**
 * Repairs rows that are live although their Workflow is gone, was terminated, failed, or never started: it
 * closes calls, sends missing webhooks, restarts deliveries, joins recordings in pieces, paces campaigns and
 * repeats imports. It checks each row once. A Temporal Schedule (temporal.yaml) starts it regularly, never
 * two at once. A failed repair does not stop the others.
 */
export async function reconcileWorkflow(input: ReconcileInput = {}): Promise<ReconcileResult> {
  const { graceMs = timeoutsMs.reconcileGrace, windowMs = timeoutsMs.reconcileWindow, ...earlier } = input;
  const progress: Progress = {
    pass: 'orphanedCalls',
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
    const nextAfterId = await passes[progress.pass](
      { afterId: progress.afterId, graceMs, windowMs },
      progress,
    );
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
  afterId: number;
  graceMs: number;
  windowMs: number;
}

type Repaired = Exclude<keyof ReconcileResult, 'failed'>;

/**
 * Repairs and counts one page of a pass. Returns the row id after which the next page begins, or null after
 * the last.
 */
type OnePage = (limits: Limits, progress: Progress) => Promise<number | null>;

interface PassOf<Item> {
  counted: Repaired;
  summary: string;
  find: (
    activities: Pick<ReconcileActivities, Finder>,
    limits: Limits,
  ) => Promise<{ items: Item[]; nextAfterId: number | null }>;
  repair: (item: Item) => Promise<void>;
}

type Finder =
  | 'findOrphanedCalls'
  | 'findUnsentCalls'
  | 'findLostDeliveries'
  | 'findUnjoinedRecordings'
  | 'findUnpacedCampaigns'
  | 'findLostImports';

function passOf<Item>({ counted, summary, find, repair }: PassOf<Item>): OnePage {
  return async (limits, progress) => {
    const { items, nextAfterId } = await find(activitiesOf<ReconcileActivities>('sweep', summary), limits);
    for (const item of items) progress[await counterOf(counted, () => repair(item))] += 1;
    return nextAfterId;
  };
}

/** In the order of the passes. */
const passes: Record<Pass, OnePage> = {
  orphanedCalls: passOf({
    counted: 'closed',
    summary: 'Look for calls without a Workflow',
    find: async ({ findOrphanedCalls }, { afterId, graceMs }) =>
      await findOrphanedCalls({ afterId, graceMs }),
    repair: closeOrphanedCall,
  }),
  unsent: passOf({
    counted: 'handedOver',
    summary: 'Look for ended calls without their webhooks',
    find: async ({ findUnsentCalls }, limits) => await findUnsentCalls(limits),
    repair: handOver,
  }),
  lost: passOf({
    counted: 'restarted',
    summary: 'Look for webhooks without a Workflow',
    find: async ({ findLostDeliveries }, { afterId, graceMs }) =>
      await findLostDeliveries({ afterId, graceMs }),
    repair: restart,
  }),
  unjoined: passOf({
    counted: 'joined',
    summary: 'Look for recordings in pieces',
    find: async ({ findUnjoinedRecordings }, limits) => await findUnjoinedRecordings(limits),
    // guarantee: terminated-call-recording-joined
    repair: join,
  }),
  unpaced: passOf({
    counted: 'paced',
    summary: 'Look for campaigns without a Workflow',
    find: async ({ findUnpacedCampaigns }, { afterId, graceMs }) =>
      await findUnpacedCampaigns({ afterId, graceMs }),
    repair: pace,
  }),
  unread: passOf({
    counted: 'imported',
    summary: 'Look for imports without a Workflow',
    find: async ({ findLostImports }, { afterId }) => await findLostImports({ afterId }),
    repair: importFrom,
  }),
};
const passAfter: Record<Pass, Pass | null> = {
  orphanedCalls: 'unsent',
  unsent: 'lost',
  lost: 'unjoined',
  unjoined: 'unpaced',
  unpaced: 'unread',
  unread: null,
};

/** Runs a repair and returns the counter to increase. */
async function counterOf(repaired: Repaired, repair: () => Promise<void>): Promise<keyof ReconcileResult> {
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
    `Closed **${counted(closed, 'call')}**, sent the webhooks of **${counted(handedOver, 'call')}**, restarted **${counted(restarted, 'webhook')}** and **${counted(paced, 'campaign')}**, joined **${counted(joined, 'recording')}** and repeated **${counted(imported, 'import')}**; ${counted(failed, 'repair')} failed.`,
  );
}
