import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import { toast } from '../parts/toast.tsx';
import { wordsOfError } from '../parts/action.tsx';
import { call } from './api.ts';
import { get, queries } from './query.ts';
import { session } from './session.ts';
import { t } from './words.ts';

/** The person's organizations as entries of a menu. None for a person of one organization. */
export function useOrganizationEntries(): MenuEntry[] {
  const { data = [] } = useQuery(get('/user/organizations', {}));
  const navigate = useNavigate();
  const change = async (id: number) => {
    try {
      const { body } = await call('post', '/user/organizations/switch', { body: { organization_id: id } });
      session.set(body);
      queries.clear();
      await navigate({ to: '/' });
    } catch (error) {
      toast(wordsOfError(error));
    }
  };
  if (data.length < 2) return [];
  return data.map(({ organization_id: id, organization_name: name, role, is_current: isCurrent }) => ({
    id: `organization ${id}`,
    label: isCurrent ? name : t('frame.switchTo', { name }),
    note: isCurrent ? '✓' : t(`people.role.${role}`),
    isDisabled: isCurrent,
    onAction: () => void change(id),
  }));
}

/** The name of the organization; a menu for a person of several. */
export function OrganizationName() {
  const { data } = useQuery(get('/organizations/context', {}));
  const entries = useOrganizationEntries();
  const name = data?.organization_name ?? 'Parlance';
  if (entries.length === 0) return <span className="cut">{name}</span>;
  return (
    <Menu
      label={t('frame.organizations')}
      trigger={
        <AriaButton className="org-menu" aria-label={t('frame.organizationOf', { name })}>
          <span className="cut flex-1">{name}</span>
          <ChevronsUpDown className="i shrink-0" aria-hidden size={14} strokeWidth={1.5} />
        </AriaButton>
      }
      entries={entries}
    />
  );
}
