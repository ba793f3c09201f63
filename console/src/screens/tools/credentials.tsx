import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { CreateCredentialRequest, Credential } from '../../../../src/contract/credentials.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm } from '../../parts/action.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Note } from '../../parts/note.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { entriesOf, type Field, type Values, wordsOf } from '../../parts/form-values.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';

type CredentialType = CreateCredentialRequest['credential_type'];

const path = '/credentials/';
const refresh = async () => await queries.invalidateQueries({ queryKey: [path] });

/** What each type needs, by wire name. */
const secrets = {
  bearer_token: ['token'],
  api_key: ['header_name', 'api_key'],
  basic_auth: ['username', 'password'],
  custom_header: ['header_name', 'header_value'],
  none: [],
} as const satisfies Record<CredentialType, readonly string[]>;

const types = Object.keys(secrets) as CredentialType[];
const allNames = [...new Set(Object.values(secrets).flat())];
const isPlain = (name: string) => name === 'header_name' || name === 'username';
const typeOf = (values: Values): CredentialType =>
  types.find((each) => each === wordsOf(values, 'credential_type')) ?? 'none';
const needs = (values: Values): readonly string[] => secrets[typeOf(values)];
const hostsOf = (values: Values): string[] =>
  entriesOf(values, 'allowed_hosts')
    .map((each) => each.trim())
    .filter(Boolean);

const fields = (isNew: boolean): readonly Field[] => [
  { name: 'name', label: t('tools.name'), kind: 'text', isRequired: true },
  {
    name: 'credential_type',
    label: t('tools.credentialType'),
    kind: 'select',
    options: types.map((value) => ({ value, label: t(`tools.credentialType.${value}`) })),
  },
  ...allNames.map((name): Field => ({
    name,
    label: t(`tools.secret.${name}`),
    kind: isPlain(name) ? 'text' : 'password',
    isCode: name === 'header_name',
    isHalf: name !== 'token',
    isRequired: isNew,
    autoComplete: isPlain(name) ? 'off' : 'new-password',
    ...(isNew ? {} : { placeholder: t('tools.stored') }),
    when: (values) => needs(values).includes(name),
  })),
  {
    name: 'allowed_hosts',
    label: t('tools.hosts'),
    kind: 'lines',
    isCode: true,
    placeholder: 'api.example.com',
    hint: t('tools.hostsHint'),
  },
  { name: 'description', label: t('tools.note'), kind: 'text' },
];

/** Stored credentials. Their secrets are never shown again. */
export function Credentials({ onAdd }: { onAdd: () => void }) {
  const query = useQuery(get(path, {}));
  const [edited, setEdited] = useState<Credential | null>(null);
  const [deleted, setDeleted] = useState<Credential | null>(null);
  return (
    <>
      <Loaded query={query}>
        {(credentials) =>
          credentials.length === 0 ? (
            <Empty
              title={t('tools.noCredentials')}
              action={
                <Button icon={Plus} needs="agents:write" onPress={onAdd}>
                  {t('tools.newCredential')}
                </Button>
              }
            >
              {t('tools.noCredentialsWhy')}
            </Empty>
          ) : (
            <DataList
              label={t('tools.credentials')}
              rows={credentials}
              isTall
              idOf={({ uuid }) => uuid}
              columns={[
                {
                  id: 'name',
                  label: t('tools.name'),
                  cell: ({ name, allowed_hosts: hosts }) => (
                    <span className="grid">
                      <span className="cut max-w-[28ch]">{name}</span>
                      <span className="text-12 text-hint cut max-w-[28ch] font-normal">
                        {hosts === null || hosts.length === 0 ? t('tools.everyHost') : hosts.join(', ')}
                      </span>
                    </span>
                  ),
                },
                {
                  id: 'type',
                  label: t('tools.credentialType'),
                  isWide: true,
                  cell: ({ credential_type: type }) => (
                    <Tag is="machine">{t(`tools.credentialType.${type}`)}</Tag>
                  ),
                },
                {
                  id: 'changed',
                  label: t('tools.changed'),
                  isWide: true,
                  cell: ({ updated_at: updated, created_at: created }) => <When at={updated ?? created} />,
                },
                {
                  id: 'actions',
                  label: t('common.more'),
                  isLabelHidden: true,
                  isNumber: true,
                  cell: (credential) => (
                    <span className="inline-flex gap-1">
                      <Button
                        needs="agents:write"
                        aria-label={t('tools.editOf', { name: credential.name })}
                        onPress={() => setEdited(credential)}
                      >
                        {t('tools.edit')}
                      </Button>
                      <Button
                        needs="agents:write"
                        kind="danger"
                        aria-label={t('tools.deleteOf', { name: credential.name })}
                        onPress={() => setDeleted(credential)}
                      >
                        {t('common.delete')}
                      </Button>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {edited !== null && <EditCredential credential={edited} onClose={() => setEdited(null)} />}
      {deleted !== null && (
        <Confirm
          title={t('tools.deleteTitle', { name: deleted.name })}
          button={t('common.delete')}
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            await call('delete', '/credentials/{credential_uuid}', {
              params: { credential_uuid: deleted.uuid },
            });
            await refresh();
            toast(t('tools.credentialDeleted', { name: deleted.name }));
          }}
        >
          {t('tools.deleteWhy')}
        </Confirm>
      )}
    </>
  );
}

/** The form of a credential. A stored secret stays unless another one is entered. */
export function EditCredential({
  credential,
  onClose,
}: {
  credential: Credential | null;
  onClose: () => void;
}) {
  const before = credential?.allowed_hosts ?? [];
  const save = async (values: Values) => {
    const type = typeOf(values);
    const data = Object.fromEntries(needs(values).map((name) => [name, wordsOf(values, name)]));
    const isEntered = Object.values(data).some((each) => each !== '');
    const hosts = hostsOf(values);
    const isChanged =
      isEntered || type !== credential?.credential_type || hosts.join('\n') !== before.join('\n');
    const words = { name: wordsOf(values, 'name').trim(), description: wordsOf(values, 'description') };
    const secret = { credential_type: type, credential_data: data, allowed_hosts: hosts };
    if (credential === null) await call('post', path, { body: { ...words, ...secret } });
    else
      await call('put', '/credentials/{credential_uuid}', {
        params: { credential_uuid: credential.uuid },
        body: { ...words, ...(isChanged ? secret : {}) },
      });
    await refresh();
    toast(t('tools.credentialSaved', { name: words.name }));
  };
  return (
    <FormDialog
      title={credential === null ? t('tools.newCredential') : t('tools.editTitle', { name: credential.name })}
      fields={fields(credential === null)}
      isNew={credential === null}
      initial={{
        name: credential?.name ?? '',
        description: credential?.description ?? '',
        credential_type: credential?.credential_type ?? 'bearer_token',
        allowed_hosts: before,
        ...Object.fromEntries(allNames.map((name) => [name, ''])),
      }}
      onSave={save}
      onClose={onClose}
    >
      {() => (
        <div className="is-whole">
          <Note>{credential === null ? t('tools.secretNote') : t('tools.secretKept')}</Note>
        </div>
      )}
    </FormDialog>
  );
}
