import '../../styles/rooms.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { NotForRole } from '../../parts/why-not.tsx';
import { Account } from '../account/account.tsx';
import { Appearance } from './appearance.tsx';
import { Changes } from './changes.tsx';
import { Dialing } from './dialing.tsx';
import { Organization } from './organization.tsx';
import { People } from './people.tsx';
import { Retention } from './retention.tsx';
import { tabs } from './search.ts';

/** The people of the organization, what it allows and keeps, who changed what, one's own account, and how the console looks. */
export function SettingsPage() {
  const { tab = 'people' } = useSearch({ from: '/settings' });
  const navigate = useNavigate();
  const isAdmin = useMay()('admin');
  return (
    <Page
      title={t('frame.settings')}
      isFlush
      needs={tab === 'account' || tab === 'appearance' || tab === 'changes' ? [] : ['admin']}
    >
      <Tabs
        label={t('people.tabs')}
        selected={tab}
        onSelect={(id) => {
          const known = tabs.find((each) => each === id);
          void navigate({ to: '/settings', search: known === undefined ? {} : { tab: known } });
        }}
        entries={[
          { id: 'people', label: t('people.title'), content: <People /> },
          { id: 'organization', label: t('settings.organization'), content: <Organization /> },
          { id: 'dialing', label: t('settings.dialing'), content: <Dialing /> },
          { id: 'retention', label: t('settings.retention'), content: <Retention /> },
          {
            id: 'changes',
            label: t('settings.changes'),
            content: isAdmin ? <Changes /> : <NotForRole needs="admin" />,
          },
          { id: 'account', label: t('people.account'), content: <Account /> },
          { id: 'appearance', label: t('settings.appearance'), content: <Appearance /> },
        ]}
      />
    </Page>
  );
}
