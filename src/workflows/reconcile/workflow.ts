import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { ReconcileActivities } from '../../activities/reconcile.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { activitiesOf } from '../proxies.ts';
import { closeOrphanedCall, handOver, importFrom, join, pace, restart } from './repairs.ts';

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

type Pass = 'orphanedCalls' | 'unsent' | 'lost' | 'unjoined' | 'unpaced' | 'unread';

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

/** One page of a pass: what was found is repaired and counted. Answers the row id to go on after. */
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
    for (const item of items) progress[await tried(counted, () => repair(item))] += 1;
    return nextAfterId;
  };
}

/** In the order of the passes. */
const passes: Record<Pass, OnePage> = {
  orphanedCalls: passOf({
    counted: 'closed',
    summary: 'Look for calls without a Workflow',
    find: async ({ findOrphanedCalls }, { afterId, graceMs }) => {
      const { orphanedCalls: items, nextAfterId } = await findOrphanedCalls({ afterId, graceMs });
      return { items, nextAfterId };
    },
    repair: closeOrphanedCall,
  }),
  unsent: passOf({
    counted: 'handedOver',
    summary: 'Look for ended calls without their webhooks',
    find: async ({ findUnsentCalls }, limits) => {
      const { calls: items, nextAfterId } = await findUnsentCalls(limits);
      return { items, nextAfterId };
    },
    repair: handOver,
  }),
  lost: passOf({
    counted: 'restarted',
    summary: 'Look for webhooks without a Workflow',
    find: async ({ findLostDeliveries }, { afterId, graceMs }) => {
      const { deliveries: items, nextAfterId } = await findLostDeliveries({ afterId, graceMs });
      return { items, nextAfterId };
    },
    repair: restart,
  }),
  unjoined: passOf({
    counted: 'joined',
    summary: 'Look for recordings in pieces',
    find: async ({ findUnjoinedRecordings }, limits) => {
      const { calls: items, nextAfterId } = await findUnjoinedRecordings(limits);
      return { items, nextAfterId };
    },
    // guarantee: recording-call-workflow-terminated
    repair: join,
  }),
  unpaced: passOf({
    counted: 'paced',
    summary: 'Look for campaigns without a Workflow',
    find: async ({ findUnpacedCampaigns }, { afterId, graceMs }) => {
      const { campaigns: items, nextAfterId } = await findUnpacedCampaigns({ afterId, graceMs });
      return { items, nextAfterId };
    },
    repair: pace,
  }),
  unread: passOf({
    counted: 'imported',
    summary: 'Look for imports without a Workflow',
    find: async ({ findLostImports }, { afterId }) => {
      const { imports: items, nextAfterId } = await findLostImports({ afterId });
      return { items, nextAfterId };
    },
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

/** What it is to be counted as. */
async function tried(repaired: Repaired, repair: () => Promise<void>): Promise<keyof ReconcileResult> {
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
