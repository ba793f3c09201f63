import '../../styles/rooms.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../app/words.ts';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Account } from '../account/account.tsx';
import { People } from './people.tsx';

/** The people of the organization, and one's own account. */
export function SettingsPage() {
  const { tab = 'people' } = useSearch({ from: '/settings' });
  const navigate = useNavigate();
  return (
    <Page title={t('frame.settings')} isFlush>
      <Tabs
        label={t('people.tabs')}
        selected={tab}
        onSelect={(id) =>
          void navigate({ to: '/settings', search: id === 'account' ? { tab: 'account' } : {} })
        }
        entries={[
          { id: 'people', label: t('people.title'), content: <People /> },
          { id: 'account', label: t('people.account'), content: <Account /> },
        ]}
      />
    </Page>
  );
}
