import { useState } from 'react';
import type { ApiKey, NewApiKey } from '../../../../src/contract/api-keys.ts';
import type { Scope } from '../../../../src/contract/data/scopes.ts';
import { call } from '../../app/api.ts';
import { nowMs } from '../../app/clock.ts';
import { date, lowered } from '../../app/format.ts';
import { queries } from '../../app/query.ts';
import { idOfScope, may } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { entriesOf, type Field, wordsOf } from '../../parts/form-values.ts';

const scopes: readonly Scope[] = [
  'read',
  'people:read',
  'agents:write',
  'calls:trigger',
  'dialing:stop',
  'webhooks:replay',
  'keys:write',
  'account:write',
  'admin',
];
const dayMs = 86_400_000;

/** What the scopes of a key allow, as words. Null is everything. */
export const wordsOfScopes = (given: readonly string[] | null): string =>
  given === null || given.includes('admin')
    ? t('developers.scope.all')
    : given
        .map((each) => t(`developers.scope.${idOfScope(each)}`))
        .map((words, index) => (index === 0 ? words : lowered(words)))
        .join(', ');

export const refreshKeys = async (): Promise<void> =>
  await queries.invalidateQueries({ queryKey: ['/user/api-keys'] });

const createFields = (): readonly Field[] => [
  {
    name: 'name',
    label: t('developers.name'),
    kind: 'text',
    isRequired: true,
    placeholder: t('developers.namePlaceholder'),
  },
  {
    name: 'scopes',
    label: t('developers.may'),
    kind: 'checks',
    isRequired: true,
    // Nobody makes a key that may do more than they may.
    options: scopes.filter(may).map((value) => ({
      value,
      label: t(`developers.scope.${idOfScope(value)}`),
      description: t(`developers.scopeHint.${idOfScope(value)}`),
    })),
  },
  {
    name: 'expires_at',
    label: t('developers.expires'),
    kind: 'select',
    options: ['never', '30', '90', '365'].map((value) => ({
      value,
      label: value === 'never' ? t('developers.never') : t('developers.inDays', { n: Number(value) }),
    })),
  },
];

/** Makes a key and shows it once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (made !== null) return <ShownOnce made={made} onClose={onClose} />;
  return (
    <FormDialog
      title={t('developers.newKey')}
      saveLabel={t('developers.create')}
      isNew
      fields={createFields()}
      initial={{ name: '', scopes: ['calls:trigger'], expires_at: '90' }}
      onClose={() => undefined}
      onDismiss={onClose}
      onSave={async (values) => {
        const days = wordsOf(values, 'expires_at');
        const chosen = scopes.filter((each) => entriesOf(values, 'scopes').includes(each));
        const { body } = await call('post', '/user/api-keys', {
          body: {
            name: wordsOf(values, 'name').trim(),
            scopes: [...chosen],
            ...(days === 'never'
              ? {}
              : { expires_at: new Date(nowMs() + Number(days) * dayMs).toISOString() }),
          },
        });
        await refreshKeys();
        setMade(body);
      }}
    />
  );
}

/** Replaces a key; the old one goes on for a while. */
export function RotateKey({ of, onClose }: { of: ApiKey; onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (made !== null) return <ShownOnce made={made} onClose={onClose} />;
  return (
    <FormDialog
      title={t('developers.rotateTitle', { name: of.name })}
      saveLabel={t('developers.rotate')}
      isNew
      fields={[
        {
          name: 'grace_period_seconds',
          label: t('developers.grace'),
          kind: 'select',
          hint: t('developers.graceHint'),
          options: [
            { value: '0', label: t('developers.graceNone') },
            { value: '3600', label: t('developers.graceHour') },
            { value: '86400', label: t('developers.inDays', { n: 1 }) },
            { value: '604800', label: t('developers.inDays', { n: 7 }) },
            { value: '2592000', label: t('developers.inDays', { n: 30 }) },
          ],
        },
      ]}
      initial={{ grace_period_seconds: '86400' }}
      onClose={() => undefined}
      onDismiss={onClose}
      onSave={async (values) => {
        const { body } = await call('post', '/user/api-keys/{api_key_id}/rotate', {
          params: { api_key_id: of.id },
          body: { grace_period_seconds: Number(values['grace_period_seconds']) },
        });
        await refreshKeys();
        setMade(body);
      }}
    />
  );
}

function ShownOnce({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  return (
    <Dialog
      title={t('developers.made', { name: made.name })}
      isOpen
      isModalOnly
      onClose={onClose}
      footer={
        <Button kind="primary" onPress={onClose}>
          {t('developers.stored')}
        </Button>
      }
    >
      <div className="grid gap-3">
        <div className="flex items-center gap-2">
          <code className="code is-block flex-1" data-testid="new-key">
            {made.api_key}
          </code>
          <CopyButton text={made.api_key} name={t('developers.copyKey')} />
        </div>
        <Note>{t('developers.shownOnce')}</Note>
        <p className="text-muted text-12">
          {wordsOfScopes(made.scopes)} ·{' '}
          {made.expires_at === null
            ? t('developers.neverExpires')
            : t('developers.expiresOn', { day: date(new Date(made.expires_at)) })}
        </p>
      </div>
    </Dialog>
  );
}
