import { useNavigate } from '@tanstack/react-router';
import { Download, FileText, Megaphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../app/api.ts';
import { saveFile } from '../../app/save-file.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import type { MenuEntry } from '../../parts/menu.tsx';
import type { Campaign } from './facts.ts';

const files = [
  { kind: 'results', format: 'csv' },
  { kind: 'results', format: 'xlsx' },
  { kind: 'errors', format: 'csv' },
] as const;

/** The files of a campaign as entries of its menu, and why the last one was not saved. */
export function useExports({ id }: Pick<Campaign, 'id'>): {
  entries: readonly MenuEntry[];
  toCampaign: (id: number, as: 'parent' | 'redial') => MenuEntry;
  failure: ReactNode;
} {
  const { run, error } = useAction();
  const navigate = useNavigate();
  return {
    entries: [
      ...files.map(({ kind, format }): MenuEntry => ({
        id: `${kind}-${format}`,
        label: t(`campaigns.export.${kind}`),
        note: format.toUpperCase(),
        icon: Download,
        needs: 'people:read',
        onAction: () =>
          run(
            async () => await saveFile(`/campaign/${id}/export?kind=${kind}&format=${format}`),
            `${kind}-${format}`,
          ),
      })),
      {
        id: 'calls',
        label: t('campaigns.export.calls'),
        note: 'CSV',
        icon: Download,
        onAction: () => run(async () => await saveFile(`/campaign/${id}/report`), 'calls'),
      },
      {
        id: 'source',
        label: t('campaigns.export.source'),
        icon: FileText,
        needs: 'people:read',
        onAction: () =>
          run(async () => {
            const { body } = await call('get', '/campaign/{campaign_id}/source-download-url', {
              params: { campaign_id: id },
            });
            window.open(body.download_url, '_blank', 'noopener');
          }, 'source'),
      },
    ],
    toCampaign: (other, as) => ({
      id: as,
      label: t(`campaigns.${as}`),
      icon: Megaphone,
      onAction: () => void navigate({ to: '/campaigns/$id', params: { id: String(other) } }),
    }),
    failure: error === null ? null : <Refusal error={error} />,
  };
}
