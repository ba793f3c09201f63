import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  getDialPolicy,
  hangUpCampaignCalls,
  readSwitch,
  resumeDialing,
  setDialPolicy,
  stopDialing,
  type HangUpDeps,
  type SetPolicyDeps,
} from '../../services/campaigns/index.ts';
import type { Handlers } from '../bind.ts';

export interface DialingRouteDeps extends SetPolicyDeps {
  deps: HangUpDeps;
}

type DialingRoute = 'getDialPolicy' | 'setDialPolicy' | 'getDialing' | 'stopDialing' | 'resumeDialing';

/** The dial policy and the dialing switch (docs/suppression.md). */
export function dialingHandlers({
  deps,
  campaignRuns,
}: DialingRouteDeps): Pick<Handlers<ServiceContext>, DialingRoute> {
  return {
    getDialPolicy: ({ ctx }) => getDialPolicy({ ctx }),
    setDialPolicy: ({ ctx, input: { body } }) => setDialPolicy({ ctx, deps: { campaignRuns }, input: body }),
    getDialing: ({ ctx }) => readSwitch(ctx.db.manager, ctx.organizationId),
    stopDialing: async ({ ctx, input: { body } }) => {
      const stopped = await stopDialing({ ctx });
      const hungUp =
        body.hang_up === 'none'
          ? 0
          : await hangUpCampaignCalls({
              ctx,
              deps,
              input: { onlyUnanswered: body.hang_up === 'unanswered' },
            });
      return { ...stopped, hung_up: hungUp };
    },
    resumeDialing: ({ ctx }) => resumeDialing({ ctx }),
  };
}
