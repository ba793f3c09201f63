import { useQuery } from '@tanstack/react-query';
import type { PhoneNumber } from '../../../../src/contract/phone-numbers.ts';
import { call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { FormDialog } from '../../parts/form.tsx';
import { wordsOf } from '../../parts/form-values.ts';
import { toast } from '../../parts/toast.tsx';
import { refreshConnections } from './connection-dialogs.tsx';

const path = '/organizations/telephony-configs/{telephony_configuration_id}/phone-numbers';

/** Adds a number, or changes one. */
export function EditNumber({
  connectionId,
  number,
  onClose,
}: {
  connectionId: number;
  number: PhoneNumber | null;
  onClose: () => void;
}) {
  const { data: agents = [] } = useQuery(get('/workflow/fetch', { query: { status: 'active' } }));
  const params = { telephony_configuration_id: connectionId };
  return (
    <FormDialog
      title={number === null ? t('telephony.addNumber') : t('telephony.editTitle', { name: number.address })}
      saveLabel={number === null ? t('telephony.addNumber') : t('common.save')}
      isNew={number === null}
      fields={[
        ...(number === null
          ? [
              {
                name: 'address',
                label: t('telephony.number'),
                kind: 'text' as const,
                isRequired: true,
                isCode: true,
                placeholder: '+12025550143',
                hint: t('telephony.numberHint'),
              },
              {
                name: 'inbound_workflow_id',
                label: t('telephony.answeredBy'),
                kind: 'select' as const,
                options: [
                  { value: 'none', label: t('telephony.nobody') },
                  ...agents.map(({ id, name }) => ({ value: String(id), label: name })),
                ],
              },
            ]
          : []),
        { name: 'label', label: t('telephony.label'), kind: 'text', hint: t('telephony.labelHint') },
        {
          name: number === null ? 'is_default_caller_id' : 'is_active',
          label: number === null ? t('telephony.makeCaller') : t('telephony.active'),
          kind: 'switch',
        },
      ]}
      initial={{
        address: '',
        inbound_workflow_id: 'none',
        label: number?.label ?? '',
        is_default_caller_id: false,
        is_active: number?.is_active ?? true,
      }}
      onClose={onClose}
      onSave={async (values) => {
        const agent = wordsOf(values, 'inbound_workflow_id');
        const unchanged = { country_code: null, extra_metadata: null, telephony_trunk_id: null };
        const { body } =
          number === null
            ? await call('post', path, {
                params,
                body: {
                  ...unchanged,
                  address: wordsOf(values, 'address').trim(),
                  label: wordsOf(values, 'label'),
                  inbound_workflow_id: agent === 'none' ? null : Number(agent),
                  is_active: true,
                  is_default_caller_id: values['is_default_caller_id'] === true,
                },
              })
            : await call('put', `${path}/{phone_number_id}`, {
                params: { ...params, phone_number_id: number.id },
                body: {
                  ...unchanged,
                  label: wordsOf(values, 'label'),
                  inbound_workflow_id: null,
                  clear_inbound_workflow: false,
                  is_active: values['is_active'] === true,
                  clear_trunk: false,
                },
              });
        await refreshConnections();
        toast(
          body.provider_sync?.ok === false
            ? body.provider_sync.message
            : t('telephony.saved', { name: body.address }),
        );
      }}
    />
  );
}
