import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  TelephonyConfigurationDetail,
  TelephonyCredentials,
} from '../../../../src/contract/telephony-configurations.ts';
import type { TelephonyProviders } from '../../../../src/contract/telephony-providers.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { type Field, objectOf, type Value, type Values, wordsOf } from '../../parts/form-values.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';

type Provider = TelephonyProviders['providers'][number];

const base = '/organizations/telephony-configs';
const metadata = '/organizations/telephony-providers/metadata';

/** Reads everything about connections anew. */
export async function refreshConnections(): Promise<void> {
  await Promise.all(
    [base, `${base}/{telephony_configuration_id}`, `${base}/{telephony_configuration_id}/phone-numbers`].map(
      async (path) => await queries.invalidateQueries({ queryKey: [path] }),
    ),
  );
}

const kinds = {
  text: 'text',
  password: 'password',
  textarea: 'area',
  boolean: 'switch',
  json: 'json',
} as const;

const fieldsOf = ({ fields }: Provider): readonly Field[] => [
  { name: 'name', label: t('telephony.name'), kind: 'text', isRequired: true },
  ...fields.map(({ name, label, type, required, description, placeholder, sensitive }): Field => ({
    name: `config.${name}`,
    label,
    kind: kinds[type],
    isRequired: required,
    hint: description,
    isCode: type === 'text',
    ...(placeholder === null ? {} : { placeholder }),
    ...(sensitive ? { autoComplete: 'new-password' } : {}),
  })),
];

/** Values of a connection. Secrets stand there masked, and masked ones keep the stored ones. */
function initialOf({ fields }: Provider, name: string, credentials: Record<string, unknown>): Values {
  return {
    name,
    ...Object.fromEntries(
      fields.map(({ name: field, type }): [string, Value] => {
        const value = credentials[field];
        if (type === 'boolean') return [`config.${field}`, value === true];
        if (type === 'json') return [`config.${field}`, value == null ? '' : JSON.stringify(value, null, 2)];
        return [`config.${field}`, typeof value === 'string' ? value : ''];
      }),
    ),
  };
}

function configOf({ provider, fields }: Provider, values: Values): TelephonyCredentials {
  const config = Object.fromEntries(
    fields.map(({ name, type }): [string, unknown] => {
      const key = `config.${name}`;
      if (type === 'boolean') return [name, values[key] === true];
      if (type === 'json') return [name, objectOf(values, key)];
      return [name, wordsOf(values, key).trim() || null];
    }),
  );
  return { provider, ...config } as TelephonyCredentials;
}

/** Connects an account: first the carrier, then its credentials. */
export function AddConnection({ onMade, onClose }: { onMade: (id: number) => void; onClose: () => void }) {
  const query = useQuery(get(metadata, {}));
  const [provider, setProvider] = useState<Provider | null>(null);
  if (provider !== null)
    return (
      <FormDialog
        title={t('telephony.connectTo', { carrier: provider.display_name })}
        saveLabel={t('telephony.connect')}
        isNew
        fields={fieldsOf(provider)}
        initial={initialOf(provider, provider.display_name, {})}
        onClose={onClose}
        onSave={async (values) => {
          const { body } = await call('post', base, {
            body: {
              name: wordsOf(values, 'name').trim(),
              is_default_outbound: false,
              config: configOf(provider, values),
            },
          });
          await refreshConnections();
          onMade(body.id);
        }}
      >
        {() => <Docs provider={provider} />}
      </FormDialog>
    );
  return (
    <Dialog title={t('telephony.which')} isOpen onClose={onClose}>
      <Loaded query={query}>
        {({ providers }) => (
          <ul className="grid gap-1">
            {providers.toSorted(dialableFirst).map((each) => (
              <li key={each.provider}>
                <Button
                  className="w-full justify-start"
                  kind="ghost"
                  size="md"
                  onPress={() => setProvider(each)}
                >
                  <span className="flex-1 text-start">{each.display_name}</span>
                  <span className="text-hint text-12">
                    {t(each.provider === 'telnyx' ? 'telephony.supported' : 'telephony.storedOnly')}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}

const dialableFirst = (a: Provider, b: Provider): number =>
  Number(b.provider === 'telnyx') - Number(a.provider === 'telnyx');

const Docs = ({ provider }: { provider: Provider }) => (
  <p className="is-whole text-muted text-12">
    <a className="link" href={provider.docs_url} target="_blank" rel="noreferrer">
      {t('telephony.docs', { carrier: provider.display_name })}
    </a>
  </p>
);

/** Changes name and credentials of a connection. */
export function EditConnection({ of, onClose }: { of: TelephonyConfigurationDetail; onClose: () => void }) {
  const { data } = useQuery(get(metadata, {}));
  const provider = data?.providers.find(({ provider: each }) => each === of.provider);
  if (provider === undefined) return null;
  return (
    <FormDialog
      title={t('telephony.editTitle', { name: of.name })}
      fields={fieldsOf(provider)}
      initial={initialOf(provider, of.name, of.credentials)}
      onClose={onClose}
      onSave={async (values) => {
        await call('put', `${base}/{telephony_configuration_id}`, {
          params: { telephony_configuration_id: of.id },
          body: { name: wordsOf(values, 'name').trim(), config: configOf(provider, values) },
        });
        await refreshConnections();
        toast(t('telephony.saved', { name: wordsOf(values, 'name') }));
      }}
    >
      {() => <Docs provider={provider} />}
    </FormDialog>
  );
}
