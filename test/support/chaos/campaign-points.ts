import type { SourceChange } from '../changed-workflows.ts';
import type { Role } from './phone-fleet.ts';

/** A place in the source of a role at which its process is to die, at the beginning of it or soon after. */
export interface Point {
  name: string;
  role: Role;
  file: string;
  /** Code that is there exactly once. */
  from: string;
  /** The process dies before it, or as soon as it is done, or while it is under way. */
  when: 'before' | 'after' | 'during';
}

/**
 * Of roles whose first death is at the beginning of a campaign: there are pages to plan only then, and it is
 * begun once.
 */
export const firstPoints = { worker: 'page half planned', api: 'begun and not told' } as const;

/** The moments at which something of a row is written and the next thing is not. */
export const points: readonly Point[] = [
  {
    name: firstPoints.worker,
    role: 'worker',
    file: 'src/services/campaigns/pacing/plan-targets.ts',
    from: `await updateRows(tx, campaigns, {
      where: { id, organizationId },
      change: {
        plannedThroughRow`,
    when: 'before',
  },
  {
    name: 'claimed and none started',
    role: 'worker',
    file: 'src/services/campaigns/pacing/start-attempts.ts',
    from: 'const waiting = [...attempts];',
    when: 'before',
  },
  {
    name: 'claimed and some started',
    role: 'worker',
    file: 'src/services/campaigns/pacing/start-attempts.ts',
    from: `await calls.startCall({
      ...callInputFor({ organization, agent, version, call, channel }),
      campaign: { campaignUuid, rowNumber, attemptNumber },
    });`,
    when: 'after',
  },
  {
    name: 'dial claimed',
    role: 'worker',
    file: 'src/services/telephony/legs/dial-call.ts',
    from: 'const leg = await prepared.carrier.dial(prepared.request);',
    when: 'before',
  },
  {
    name: 'dial under way',
    role: 'worker',
    file: 'src/services/telephony/legs/dial-call.ts',
    from: 'const leg = await prepared.carrier.dial(prepared.request);',
    when: 'during',
  },
  {
    name: 'dial answered',
    role: 'worker',
    file: 'src/services/telephony/legs/dial-call.ts',
    from: 'const leg = await prepared.carrier.dial(prepared.request);',
    when: 'after',
  },
  {
    name: 'half settled',
    role: 'worker',
    file: 'src/services/campaigns/targets/settle-target.ts',
    from: `await updateRows(tx, campaignAttempts, {
    where: { ...where, attemptNumber: attempt.attemptNumber },
    change: { outcome, isSpent, settledAt: at },
  });`,
    when: 'after',
  },
  {
    name: 'settling',
    role: 'worker',
    file: 'src/activities/call.ts',
    from: 'return await translated({ log, ids: idsOf(input) }, () => finalizeCall({ deps, input }));',
    when: 'during',
  },
  {
    name: firstPoints.api,
    role: 'api',
    file: 'src/services/campaigns/verbs/start.ts',
    from: 'await deps.campaignRuns.start(run);',
    when: 'before',
  },
  {
    name: 'changed and not told',
    role: 'api',
    file: 'src/services/campaigns/records/wake.ts',
    from: "if (campaign.state === 'created') return undefined;",
    when: 'before',
  },
  {
    name: 'news of a leg kept and not told',
    role: 'api',
    file: 'src/services/telephony/events/deliver.ts',
    from: 'const answer = await deps.calls.signalCarrierEvent(call.uuid,',
    when: 'before',
  },
  {
    name: 'seat claimed and not told',
    role: 'media',
    file: 'src/activities/seat.ts',
    from: "count('seated');",
    when: 'before',
  },
  {
    name: 'stream opened',
    role: 'media',
    file: 'src/media/server/carrier-socket.ts',
    from: 'const opened = await deps.openStream(request);',
    when: 'after',
  },
];

export const pointsOf = (role: Role): string[] =>
  points.filter((each) => each.role === role).map(({ name }) => name);

/** What makes of the source one that dies there. Points of the same place come one after the other. */
export function deathsIn(url: string): SourceChange[] {
  const here = points.filter(({ file }) => url.endsWith(`/${file}`));
  return [...new Set(here.map(({ from }) => from))].map((from) => {
    const calls = (when: Point['when'], how: string) =>
      here
        .filter((each) => each.from === from && each.when === when)
        .map(({ name }) => `globalThis.dies.${how}(${JSON.stringify(name)});`)
        .join(' ');
    return {
      file: url,
      from,
      to: `${calls('before', 'at')} ${calls('during', 'soonAfter')} ${from} ${calls('after', 'at')}`,
    };
  });
}
