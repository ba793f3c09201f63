import '../../styles/rooms.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { BookOpen, Plus } from 'lucide-react';
import { useState } from 'react';
import { get } from '../../app/query.ts';
import { rootPath } from '../../app/root.ts';
import { useMay } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { CreateKey } from './key-dialogs.tsx';
import { Keys } from './keys.tsx';
import type { DeveloperTab } from './search.ts';
import { Secrets } from './secrets.tsx';
import { Snippets } from './snippets-tab.tsx';

const route = getRouteApi('/developers');

/** API keys, programs that start calls, and the secrets that sign webhooks. */
export function DevelopersPage() {
  const { tab = 'keys', agent } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const { data: keys } = useQuery(get('/user/api-keys', {}));
  const seesSecrets = useMay()('admin');
  const { data: secrets } = useQuery({ ...get('/organizations/webhook-secrets', {}), enabled: seesSecrets });
  return (
    <Page
      title={t('frame.developers')}
      isFlush
      needs={[tab === 'secrets' ? 'admin' : 'keys:write']}
      actions={
        <>
          <a className="btn ghost hide-s" href={`${rootPath}/api/v1/docs`}>
            <BookOpen className="i" aria-hidden size={16} strokeWidth={1.5} />
            {t('frame.reference')}
          </a>
          {tab === 'keys' && (
            <Button kind="primary" icon={Plus} needs="keys:write" onPress={() => setCreating(true)}>
              {t('developers.newKey')}
            </Button>
          )}
        </>
      }
    >
      <Tabs
        label={t('frame.developers')}
        selected={tab}
        onSelect={(id) => void navigate({ search: (now) => ({ ...now, tab: id as DeveloperTab }) })}
        entries={[
          {
            id: 'keys',
            label: t('developers.keys'),
            ...(keys === undefined ? {} : { count: keys.length }),
            content: <Keys onCreate={() => setCreating(true)} />,
          },
          {
            id: 'snippets',
            label: t('developers.snippets'),
            content: (
              <Snippets
                agentId={agent}
                onAgent={(id) => void navigate({ search: (now) => ({ ...now, agent: id }) })}
              />
            ),
          },
          {
            id: 'secrets',
            label: t('developers.secrets'),
            ...(secrets === undefined ? {} : { count: secrets.length }),
            content: seesSecrets ? <Secrets /> : null,
          },
        ]}
      />
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </Page>
  );
}
