import { setCurrentDetails } from '@temporalio/workflow';
import type { Paced } from '../../activities/campaign.ts';
import { bool, handedOn, keyword, showAttributes } from '../search-attributes.ts';
import type { CampaignInput } from './messages.ts';

/** What Temporal UI shows of a campaign: ids, counts and closed words; never its name or a person's data. */

/** What is known when a campaign starts. */
export function attributesAtStart({ organizationUuid, agentUuid, campaignUuid }: CampaignInput) {
  return [
    keyword('OrgId', organizationUuid),
    keyword('AgentUuid', agentUuid),
    keyword('CampaignId', campaignUuid),
  ];
}

/** One line for the list and the head of the page. */
export function staticSummary({ campaignId, agentUuid }: CampaignInput): string {
  return `Campaign ${campaignId} · agent ${agentUuid.slice(0, 8)}`;
}

/** The state of the campaign, as Markdown. */
export function currentDetails({ state, reason, until, counts }: Paced): string {
  const waits = reason === null ? '' : `, waits: \`${reason}\`${until === null ? '' : ` until ${until}`}`;
  const { queued, waiting, processing, processed, failed } = counts;
  return `**${state}**${waits}\n\n| never dialed | to be dialed again | in a call | done | failed |\n|---|---|---|---|---|\n| ${queued} | ${waiting} | ${processing} | ${processed} | ${failed} |`;
}

/** What people see of one run, and whether it needs attention. */
export class Display {
  /** A fresh run begins with what the previous run showed. */
  // guarantee: needs-attention-survives-new-run
  #needsAttention = handedOn('NeedsAttention') ?? false;
  #shown = '';

  show(paced: Paced): void {
    const details = currentDetails(paced);
    // guarantee: temporal-shows-no-contact-data
    if (details !== this.#shown) setCurrentDetails(details);
    this.#shown = details;
    if (paced.needsAttention === this.#needsAttention) return;
    this.#needsAttention = paced.needsAttention;
    showAttributes([bool('NeedsAttention', paced.needsAttention)]);
  }

  /** Shows that pacing failed, until it succeeds again. */
  failed(type: string): void {
    setCurrentDetails(`**Currently failing**: \`${type}\`. Retries continue.`);
    this.#shown = '';
    if (this.#needsAttention) return;
    this.#needsAttention = true;
    showAttributes([bool('NeedsAttention', true)]);
  }
}
