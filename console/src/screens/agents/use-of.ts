import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';
import { t } from '../../app/words.ts';

/** What would be left without an answer if the agent were archived, each by its name. */
export const usesOf = ({ used_by: use }: WorkflowOverview): string[] => [
  ...use.campaigns.map(({ name }) => t('agents.useCampaign', { name })),
  ...use.phone_numbers.map(({ address }) => t('agents.useNumber', { address })),
  ...use.trigger_paths.map((path) => t('agents.useTrigger', { path })),
];

/** The same in a few words, for a column. */
export function useInShort({ used_by: use }: WorkflowOverview): string {
  const parts = [
    ...(use.campaigns.length === 0 ? [] : [t('agents.campaigns', { n: use.campaigns.length })]),
    ...use.phone_numbers.slice(0, 2).map(({ address }) => address),
    ...(use.phone_numbers.length > 2 ? [`+${use.phone_numbers.length - 2}`] : []),
    ...(use.trigger_paths.length === 0 ? [] : [t('agents.trigger')]),
  ];
  return parts.length === 0 ? t('agents.unused') : parts.join(' · ');
}
