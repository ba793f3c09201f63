import { useQuery } from '@tanstack/react-query';
import { Circle, Plus } from 'lucide-react';
import { useState } from 'react';
import type { PhoneNumber } from '../../../../src/contract/phone-numbers.ts';
import type { TelephonyConfigurationDetail } from '../../../../src/contract/telephony-configurations.ts';
import { call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { SeverityIcon } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { EditConnection, refreshConnections } from './connection-dialogs.tsx';
import { Numbers } from './numbers.tsx';
import { EditNumber } from './number-dialog.tsx';

const one = '/organizations/telephony-configs/{telephony_configuration_id}';

/** A connection: what it still needs, and its numbers. */
export function Connection({ id, onDeleted }: { id: number; onDeleted: () => void }) {
  const query = useQuery(get(one, { params: { telephony_configuration_id: id } }));
  const [open, setOpen] = useState<'edit' | 'delete' | 'number' | null>(null);
  const [number, setNumber] = useState<PhoneNumber | null>(null);
  const { run, error, isBusy } = useAction();
  const close = () => setOpen(null);
  const post = (action: 'set-default-outbound' | 'reactivate') =>
    run(async () => {
      await call('post', `${one}/${action}`, { params: { telephony_configuration_id: id } });
      await refreshConnections();
    });
  const fixes: Record<string, { label: string; run: () => void }> = {
    active: { label: t('telephony.reactivate'), run: () => post('reactivate') },
    phone_number: { label: t('telephony.addNumber'), run: () => setOpen('number') },
  };
  return (
    <Loaded query={query}>
      {(connection) => (
        <>
          <Refusal error={error} />
          <Card
            title={t('telephony.checklist')}
            aside={
              <>
                {!connection.is_default_outbound && (
                  <Button needs="admin" isDisabled={isBusy} onPress={() => post('set-default-outbound')}>
                    {t('telephony.makeDefault')}
                  </Button>
                )}
                <Button needs="admin" onPress={() => setOpen('edit')}>
                  {t('telephony.edit')}
                </Button>
                <Button kind="danger" needs="admin" onPress={() => setOpen('delete')}>
                  {t('common.delete')}
                </Button>
              </>
            }
          >
            <Steps
              of={connection}
              fixOf={(key) =>
                fixes[key] ??
                (key === 'provider' ? undefined : { label: t('telephony.edit'), run: () => setOpen('edit') })
              }
            />
          </Card>
          <Card
            title={t('telephony.numbers')}
            aside={
              <Button icon={Plus} needs="admin" onPress={() => setOpen('number')}>
                {t('telephony.addNumber')}
              </Button>
            }
          >
            <Numbers connectionId={id} onEdit={setNumber} />
          </Card>
          {open === 'edit' && <EditConnection of={connection} onClose={close} />}
          {open === 'number' && <EditNumber connectionId={id} number={null} onClose={close} />}
          {number !== null && (
            <EditNumber connectionId={id} number={number} onClose={() => setNumber(null)} />
          )}
          {open === 'delete' && (
            <Confirm
              title={t('telephony.deleteTitle', { name: connection.name })}
              button={t('telephony.deleteConnection')}
              onClose={close}
              onConfirm={async () => {
                await call('delete', one, { params: { telephony_configuration_id: id } });
                onDeleted();
                await refreshConnections();
                toast(t('telephony.deleted', { name: connection.name }));
              }}
            >
              {t('telephony.deleteWhy')}
            </Confirm>
          )}
        </>
      )}
    </Loaded>
  );
}

function Steps({
  of,
  fixOf,
}: {
  of: TelephonyConfigurationDetail;
  fixOf: (key: string) => { label: string; run: () => void } | undefined;
}) {
  return (
    <ol className="steps">
      {of.setup_checklist.steps.map(({ key, title, description, complete, blocks_outbound: blocks }) => {
        const fix = complete ? undefined : fixOf(key);
        return (
          <li key={key}>
            {complete ? (
              <SeverityIcon is="ok" />
            ) : blocks ? (
              <SeverityIcon is="bad" />
            ) : (
              <Circle className="text-icon shrink-0" aria-hidden size={16} strokeWidth={1.5} />
            )}
            <div>
              <p className="text-ink">
                {title}
                <span className="vh">
                  {' '}
                  {complete ? t('telephony.done') : blocks ? t('telephony.missing') : t('telephony.optional')}
                </span>
              </p>
              {!complete && <p className="text-muted">{description}</p>}
            </div>
            {fix !== undefined && (
              <Button size="xs" needs="admin" onPress={fix.run}>
                {fix.label}
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
