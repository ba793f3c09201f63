import '../../styles/rooms.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PhoneCall, Plus } from 'lucide-react';
import { useState } from 'react';
import type { TelephonyConfiguration } from '../../../../src/contract/telephony-configurations.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Simulated, State, Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { CallMe } from './call-me.tsx';
import { AddConnection } from './connection-dialogs.tsx';
import { Connection } from './connection.tsx';

const route = getRouteApi('/telephony');

/** Connections to carriers, what each still needs, and who answers which number. */
export function TelephonyPage() {
  const { connection } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(get('/organizations/telephony-configs', {}));
  const { data: health } = useQuery(get('/health', {}));
  const [isAdding, setAdding] = useState(false);
  const [isCalling, setCalling] = useState(false);
  const open = (id: number | undefined) => void navigate({ search: { connection: id } });
  return (
    <Page
      title={t('frame.telephony')}
      isFlush
      needs={['admin', 'calls:trigger']}
      actions={
        <>
          <Button icon={Plus} needs="admin" onPress={() => setAdding(true)}>
            {t('telephony.add')}
          </Button>
          <Button
            kind="primary"
            icon={PhoneCall}
            needs="calls:trigger"
            isDisabled={query.data?.configurations.some(({ is_ready_for_outbound: is }) => is) !== true}
            onPress={() => setCalling(true)}
          >
            {t('telephony.callMe')}
          </Button>
        </>
      }
    >
      <Loaded query={query}>
        {({ configurations }) => {
          const chosen =
            configurations.find(({ id }) => id === connection) ??
            configurations.find(({ is_default_outbound: is }) => is) ??
            configurations[0];
          if (chosen === undefined)
            return (
              <Empty
                title={t('telephony.none')}
                action={
                  <Button kind="primary" icon={Plus} needs="admin" onPress={() => setAdding(true)}>
                    {t('telephony.add')}
                  </Button>
                }
              >
                {t('telephony.noneWhy')}
              </Empty>
            );
          return (
            <div className="room">
              {configurations.length > 1 && (
                <div className="overflow-x-auto">
                  <Segmented
                    label={t('telephony.connections')}
                    value={String(chosen.id)}
                    onChange={(id) => open(Number(id))}
                    options={configurations.map(({ id, name }) => ({ id: String(id), label: name }))}
                  />
                </div>
              )}
              <Heading of={chosen} isSimulated={health?.simulated.carrier === true} />
              <Connection key={chosen.id} id={chosen.id} onDeleted={() => open(undefined)} />
            </div>
          );
        }}
      </Loaded>
      {isAdding && <AddConnection onMade={open} onClose={() => setAdding(false)} />}
      {isCalling && <CallMe onClose={() => setCalling(false)} />}
    </Page>
  );
}

function Heading({ of, isSimulated }: { of: TelephonyConfiguration; isSimulated: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="text-16 text-ink font-semibold">{of.name}</h2>
      {of.is_ready_for_outbound ? (
        <State is="published">{t('telephony.ready')}</State>
      ) : (
        <State is="bad">{t('telephony.notReady', { reason: of.outbound_blocked_reason ?? '' })}</State>
      )}
      {of.is_default_outbound && <Tag is="machine">{t('telephony.default')}</Tag>}
      {isSimulated && <Simulated />}
    </div>
  );
}
