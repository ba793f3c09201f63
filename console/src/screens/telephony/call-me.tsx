import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PhoneCall } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { FormFields, useForm } from '../../parts/form.tsx';
import { wordsOf } from '../../parts/form-values.ts';
import { Loaded } from '../../parts/states.tsx';
import { CallSteps } from './call-steps.tsx';

const pollMs = 1000;

/** What a test call is about if it is not any call of any agent. */
export interface CallAbout {
  title: string;
  agentId: number;
  /** Values that it begins with. */
  values: Record<string, unknown>;
  /** Null: the default connection. */
  connectionId: number | null;
  /** What the person should know before. */
  notes: readonly string[];
}

/** Calls a number with an agent and follows the call. */
export function CallMe({ about, onClose }: { about?: CallAbout; onClose: () => void }) {
  const agents = useQuery(get('/workflow/fetch', { query: { status: 'active' } }));
  const preferences = useQuery(get('/organizations/preferences', {}));
  const { data: health } = useQuery(get('/health', {}));
  const [begun, setBegun] = useState<{ agentId: number; runId: number } | null>(null);
  return (
    <Dialog title={about?.title ?? t('telephony.callMe')} isOpen onClose={onClose}>
      <Loaded query={agents} rows={2}>
        {(list) => (
          <Loaded query={preferences} rows={2}>
            {({ test_phone_number: testNumber }) =>
              begun === null ? (
                <Begin
                  agents={list}
                  about={about}
                  isSimulated={health?.simulated.carrier === true}
                  testNumber={testNumber}
                  onBegun={(agentId, runId) => setBegun({ agentId, runId })}
                />
              ) : (
                <Followed {...begun} onAgain={() => setBegun(null)} onClose={onClose} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  );
}

function Begin({
  agents,
  about,
  isSimulated,
  testNumber,
  onBegun,
}: {
  agents: readonly { id: number; name: string }[];
  about: CallAbout | undefined;
  /** No phone rings. */
  isSimulated: boolean;
  testNumber: string | null;
  onBegun: (agentId: number, runId: number) => void;
}) {
  const form = useForm({
    fields: [
      ...(about === undefined
        ? [
            {
              name: 'workflow_id',
              label: t('telephony.agent'),
              kind: 'select' as const,
              isRequired: true,
              options: agents.map(({ id, name }) => ({ value: String(id), label: name })),
            },
          ]
        : []),
      {
        name: 'phone_number',
        label: t('telephony.yourNumber'),
        kind: 'text',
        isRequired: true,
        isCode: true,
        placeholder: '+12025550143',
        autoComplete: 'tel',
      },
    ],
    initial: {
      workflow_id: agents[0] === undefined ? '' : String(agents[0].id),
      phone_number: testNumber ?? '',
    },
    onSave: async (values) => {
      const agentId = about?.agentId ?? Number(wordsOf(values, 'workflow_id'));
      const { body } = await call('post', '/telephony/initiate-call', {
        body: {
          workflow_id: agentId,
          phone_number: wordsOf(values, 'phone_number'),
          ...(about === undefined
            ? {}
            : { initial_context: about.values, telephony_configuration_id: about.connectionId }),
        },
      });
      onBegun(agentId, body.workflow_run_id);
    },
  });
  return (
    <div className="grid gap-4">
      <FormFields form={form} />
      {(about?.notes ?? [t(isSimulated ? 'telephony.callMeSimulated' : 'telephony.callMeWhy')]).map(
        (note) => (
          <Note key={note}>{note}</Note>
        ),
      )}
      <div>
        <Button
          type="submit"
          form={form.id}
          kind="primary"
          size="md"
          icon={PhoneCall}
          needs="calls:trigger"
          isDisabled={form.isBusy}
        >
          {form.isBusy ? t('telephony.starting') : t('telephony.call')}
        </Button>
      </div>
    </div>
  );
}

function Followed({
  agentId,
  runId,
  onAgain,
  onClose,
}: {
  agentId: number;
  runId: number;
  onAgain: () => void;
  onClose: () => void;
}) {
  const query = useQuery({
    ...get('/workflow/{workflow_id}/runs/{run_id}', { params: { workflow_id: agentId, run_id: runId } }),
    refetchInterval: ({ state }) => (state.data?.is_completed === true ? false : pollMs),
  });
  return (
    <Loaded query={query} rows={2}>
      {(run) => (
        <div className="grid gap-3">
          <CallSteps of={run} />
          <p className="text-hint text-12 mono">{run.call_id}</p>
          <div className="flex flex-wrap gap-2">
            {run.is_completed && <Button onPress={onAgain}>{t('telephony.again')}</Button>}
            <Link
              to="/calls/$agentId/$runId"
              params={{ agentId: String(agentId), runId: String(runId) }}
              className="btn"
            >
              {t('telephony.openCall')}
            </Link>
            <Button onPress={onClose}>{t('common.close')}</Button>
          </div>
        </div>
      )}
    </Loaded>
  );
}
