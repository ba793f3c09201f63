import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { PhoneNumber } from '../../../../src/contract/phone-numbers.ts';
import { call } from '../../app/api.ts';
import { useMay, whyNot } from '../../app/may.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { State, Tag } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Menu } from '../../parts/menu.tsx';
import { OwnPhone } from '../../parts/phone.tsx';
import { ReadOnly } from '../../parts/read-only.ts';
import { Select } from '../../parts/select.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { refreshConnections } from './connection-dialogs.tsx';

const path = '/organizations/telephony-configs/{telephony_configuration_id}/phone-numbers';
const onePath = `${path}/{phone_number_id}` as const;

const nothing = {
  label: null,
  inbound_workflow_id: null,
  clear_inbound_workflow: false,
  is_active: null,
  country_code: null,
  extra_metadata: null,
  telephony_trunk_id: null,
  clear_trunk: false,
};

/** Which agent answers which number. */
export function Numbers({
  connectionId,
  onEdit,
}: {
  connectionId: number;
  onEdit: (number: PhoneNumber) => void;
}) {
  const query = useQuery(get(path, { params: { telephony_configuration_id: connectionId } }));
  useMay();
  const reason = whyNot('admin');
  const { data: agents = [] } = useQuery(get('/workflow/fetch', { query: { status: 'active' } }));
  const [deleted, setDeleted] = useState<PhoneNumber | null>(null);
  const { run, error } = useAction();
  /** What is chosen and not yet saved, by number. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, { agent: string }>>(new Map());
  const paramsOf = ({ id }: PhoneNumber) => ({
    telephony_configuration_id: connectionId,
    phone_number_id: id,
  });
  // Each choice is one of its own: of A, B and A again, the last counts.
  const answer = (number: PhoneNumber, agent: string) => {
    const choice = { agent };
    setChosen((now) => new Map(now).set(number.id, choice));
    const settle = () =>
      setChosen((now) =>
        now.get(number.id) === choice ? new Map([...now].filter(([id]) => id !== number.id)) : now,
      );
    run(async () => {
      try {
        const { body } = await call('put', onePath, {
          params: paramsOf(number),
          body:
            agent === 'none'
              ? { ...nothing, clear_inbound_workflow: true }
              : { ...nothing, inbound_workflow_id: Number(agent) },
        });
        await refreshConnections();
        toast(
          body.provider_sync?.ok === false
            ? body.provider_sync.message
            : t('telephony.answers', {
                number: number.address,
                agent: agents.find(({ id }) => String(id) === agent)?.name ?? 'none',
              }),
        );
      } finally {
        settle();
      }
    }, choice);
  };
  const makeDefault = (number: PhoneNumber) =>
    run(async () => {
      await call('post', `${onePath}/set-default-caller`, { params: paramsOf(number) });
      await refreshConnections();
    }, number.id);
  return (
    <>
      <Refusal error={error} />
      <Loaded query={query} rows={2}>
        {({ phone_numbers: numbers }) =>
          numbers.length === 0 ? (
            <p className="card-b text-muted">{t('telephony.noNumbers')}</p>
          ) : (
            <DataList
              label={t('telephony.numbers')}
              isTall
              rows={numbers}
              idOf={({ id }) => String(id)}
              columns={[
                {
                  id: 'number',
                  label: t('telephony.number'),
                  cell: (number) => (
                    <span className="grid">
                      <OwnPhone number={number.address} />
                      {number.label !== null && number.label !== '' && (
                        <span className="text-hint text-12 cut max-w-[20ch] font-normal">{number.label}</span>
                      )}
                    </span>
                  ),
                },
                {
                  id: 'agent',
                  label: t('telephony.answeredBy'),
                  cell: (number) => (
                    <span title={reason}>
                      <ReadOnly value={reason !== undefined}>
                        <Select
                          label={t('telephony.answeredByOf', { number: number.address })}
                          isLabelHidden
                          className="w-[150px] sm:w-[240px]"
                          value={chosen.get(number.id)?.agent ?? String(number.inbound_workflow_id ?? 'none')}
                          onChange={(agent) => answer(number, agent)}
                          options={[
                            { value: 'none', label: t('telephony.nobody') },
                            ...agents.map(({ id, name }) => ({ value: String(id), label: name })),
                          ]}
                        />
                      </ReadOnly>
                    </span>
                  ),
                },
                {
                  id: 'state',
                  label: t('telephony.state'),
                  isWide: true,
                  cell: ({ is_active: isActive, is_default_caller_id: isDefault }) => (
                    <span className="inline-flex flex-wrap gap-1">
                      <State is={isActive ? 'published' : 'none'}>
                        {isActive ? t('telephony.active') : t('telephony.inactive')}
                      </State>
                      {isDefault && <Tag is="machine">{t('telephony.callerId')}</Tag>}
                    </span>
                  ),
                },
                {
                  id: 'menu',
                  label: t('common.more'),
                  isLabelHidden: true,
                  width: '52px',
                  cell: (number) => (
                    <Menu
                      label={t('telephony.actionsOf', { number: number.address })}
                      trigger={
                        <IconButton
                          icon={Ellipsis}
                          label={t('telephony.actionsOf', { number: number.address })}
                        />
                      }
                      entries={[
                        {
                          id: 'edit',
                          label: t('telephony.editNumber'),
                          needs: 'admin',
                          onAction: () => onEdit(number),
                        },
                        {
                          id: 'default',
                          needs: 'admin',
                          label: t('telephony.makeCaller'),
                          isDisabled: number.is_default_caller_id,
                          onAction: () => makeDefault(number),
                        },
                        null,
                        {
                          id: 'delete',
                          needs: 'admin',
                          label: t('telephony.deleteNumber'),
                          isDanger: true,
                          onAction: () => setDeleted(number),
                        },
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {deleted !== null && (
        <Confirm
          title={t('telephony.deleteTitle', { name: deleted.address })}
          button={t('telephony.removeNumber')}
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            await call('delete', onePath, { params: paramsOf(deleted) });
            await refreshConnections();
            toast(t('telephony.deleted', { name: deleted.address }));
          }}
        >
          {t('telephony.deleteNumberWhy')}
        </Confirm>
      )}
    </>
  );
}
