import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '../../../../src/contract/api-keys.ts';
import { call } from '../../app/api.ts';
import { date } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { State } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { refreshKeys, RotateKey, wordsOfScopes } from './key-dialogs.tsx';

const stateOf = ({ archived_at: archivedAt, expires_at: expiresAt, is_active: isActive }: ApiKey) =>
  archivedAt !== null
    ? { is: 'none' as const, words: t('developers.archived') }
    : isActive
      ? {
          is: 'published' as const,
          words:
            expiresAt === null
              ? t('developers.works')
              : t('developers.until', { day: date(new Date(expiresAt)) }),
        }
      : { is: 'bad' as const, words: t('developers.expired') };

export function Keys({ onCreate }: { onCreate: () => void }) {
  const [withArchived, setWithArchived] = useState(false);
  const query = useQuery(get('/user/api-keys', { query: { include_archived: withArchived } }));
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  const [archived, setArchived] = useState<ApiKey | null>(null);
  const { run, error } = useAction();
  const reactivate = (key: ApiKey) =>
    run(async () => {
      await call('put', '/user/api-keys/{api_key_id}/reactivate', { params: { api_key_id: key.id } });
      await refreshKeys();
      toast(t('developers.reactivated', { name: key.name }));
    }, key.id);
  return (
    <>
      <div className="filter-line">
        <Checkbox isSelected={withArchived} onChange={setWithArchived}>
          {t('developers.showArchived')}
        </Checkbox>
        <Refusal error={error} />
      </div>
      <Loaded query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty
              title={t('developers.noKeys')}
              action={
                <Button icon={Plus} needs="keys:write" onPress={onCreate}>
                  {t('developers.newKey')}
                </Button>
              }
            >
              {t('developers.noKeysWhy')}
            </Empty>
          ) : (
            <DataList
              label={t('developers.keys')}
              isTall
              rows={keys}
              idOf={({ id }) => String(id)}
              columns={[
                {
                  id: 'name',
                  label: t('developers.name'),
                  cell: (key) => (
                    <span className="grid">
                      <span className="cut max-w-[36ch]">{key.name}</span>
                      <span className="mono text-12 text-hint font-normal">{key.key_prefix}…</span>
                    </span>
                  ),
                },
                {
                  id: 'scopes',
                  label: t('developers.may'),
                  isWide: true,
                  cell: ({ scopes }) => (
                    <span className="cut block max-w-[38ch]">{wordsOfScopes(scopes)}</span>
                  ),
                },
                {
                  id: 'used',
                  label: t('developers.lastUsed'),
                  isWide: true,
                  cell: ({ last_used_at: at }) =>
                    at === null ? (
                      <span className="text-hint">{t('developers.unused')}</span>
                    ) : (
                      <When at={at} />
                    ),
                },
                {
                  id: 'state',
                  label: t('developers.state'),
                  cell: (key) => {
                    const { is, words } = stateOf(key);
                    return <State is={is}>{words}</State>;
                  },
                },
                {
                  id: 'menu',
                  label: t('common.more'),
                  isLabelHidden: true,
                  width: '52px',
                  cell: (key) => (
                    <Menu
                      label={t('developers.actionsOf', { name: key.name })}
                      trigger={
                        <IconButton
                          icon={Ellipsis}
                          label={t('developers.actionsOf', { name: key.name })}
                          size="sm"
                        />
                      }
                      entries={
                        key.archived_at === null
                          ? [
                              {
                                id: 'rotate',
                                label: t('developers.rotateMenu'),
                                needs: 'keys:write',
                                isDisabled: !key.is_active,
                                onAction: () => setRotated(key),
                              },
                              {
                                id: 'archive',
                                label: t('developers.archiveMenu'),
                                needs: 'keys:write',
                                isDanger: true,
                                onAction: () => setArchived(key),
                              },
                            ]
                          : [
                              {
                                id: 'reactivate',
                                label: t('developers.reactivate'),
                                needs: 'keys:write',
                                onAction: () => reactivate(key),
                              },
                            ]
                      }
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {rotated !== null && <RotateKey of={rotated} onClose={() => setRotated(null)} />}
      {archived !== null && (
        <Confirm
          title={t('developers.archiveTitle', { name: archived.name })}
          button={t('developers.archive')}
          onClose={() => setArchived(null)}
          onConfirm={async () => {
            await call('delete', '/user/api-keys/{api_key_id}', { params: { api_key_id: archived.id } });
            await refreshKeys();
            toast(t('developers.archivedToast', { name: archived.name }), () => reactivate(archived));
          }}
        >
          {t('developers.archiveWhy')}
        </Confirm>
      )}
    </>
  );
}
