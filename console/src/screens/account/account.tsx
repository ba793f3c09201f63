import '../../styles/rooms.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { State } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { FormFields, useForm } from '../../parts/form.tsx';
import { type Field, wordsOf } from '../../parts/form-values.ts';
import { Loaded } from '../../parts/states.tsx';
import { Note } from '../../parts/note.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { SecondFactor } from './second-factor.tsx';

const refresh = async () => await queries.invalidateQueries({ queryKey: ['/auth/sessions'] });

/** The signed-in person: their password, their one-time codes and their sessions. */
export function Account() {
  const user = session.get()?.user;
  return (
    <div className="room">
      <Card title={t('account.you')}>
        <Facts
          rows={[
            [t('account.name'), user?.name ?? '–'],
            [t('account.email'), user?.email ?? '–'],
          ]}
        />
      </Card>
      {user?.role === null ? (
        <Note>{t('account.byKey')}</Note>
      ) : (
        <>
          <Password />
          <SecondFactor />
          <Sessions />
        </>
      )}
    </div>
  );
}

const passwordFields = (): readonly Field[] => [
  {
    name: 'current_password',
    label: t('account.current'),
    kind: 'password',
    isRequired: true,
    isHalf: true,
    autoComplete: 'current-password',
  },
  {
    name: 'new_password',
    label: t('account.new'),
    kind: 'password',
    isRequired: true,
    isHalf: true,
    autoComplete: 'new-password',
    hint: t('account.newHint'),
  },
];

function Password() {
  const [round, setRound] = useState(0);
  return <PasswordForm key={round} onSaved={() => setRound(round + 1)} />;
}

function PasswordForm({ onSaved }: { onSaved: () => void }) {
  const form = useForm({
    fields: passwordFields(),
    initial: { current_password: '', new_password: '' },
    onSave: async (values) => {
      const { body } = await call('post', '/auth/password', {
        body: {
          current_password: wordsOf(values, 'current_password'),
          new_password: wordsOf(values, 'new_password'),
        },
      });
      await refresh();
      toast(t('account.changed', { n: body.ended }));
      onSaved();
    },
  });
  return (
    <Card title={t('account.password')}>
      <div className="card-b grid gap-3">
        <FormFields form={form} />
        <div>
          <Button type="submit" form={form.id} kind="primary" size="md" isDisabled={form.isBusy}>
            {t('account.change')}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Sessions() {
  const query = useQuery(get('/auth/sessions', {}));
  const [isEndingAll, setEndingAll] = useState(false);
  const { run, error } = useAction();
  const end = (id: number) =>
    run(async () => {
      await call('delete', '/auth/sessions/{session_id}', { params: { session_id: id } });
      await refresh();
      toast(t('account.ended', { n: 1 }));
    }, id);
  return (
    <Card
      title={t('account.sessions')}
      aside={
        <Button isDisabled={(query.data ?? []).length < 2} onPress={() => setEndingAll(true)}>
          {t('account.endOthers')}
        </Button>
      }
    >
      <Loaded query={query} rows={3}>
        {(sessions) => (
          <>
            {sessions.map((each) => (
              <div key={each.id} className="room-row">
                <span className="grow">
                  <span className="text-ink">{each.user_agent ?? t('account.unknownClient')}</span>
                  <span className="text-hint text-12 block">
                    {t('account.signedIn')} <When at={each.created_at} /> · {t('account.lastUsed')}{' '}
                    <When at={each.last_used_at} />
                  </span>
                </span>
                {each.current ? (
                  <State is="published">{t('account.thisOne')}</State>
                ) : (
                  <Button kind="danger" sends onPress={() => end(each.id)}>
                    {t('account.end')}
                  </Button>
                )}
              </div>
            ))}
            <Refusal error={error} />
            {isEndingAll && (
              <Confirm
                title={t('account.endOthersTitle', { n: sessions.length - 1 })}
                button={t('account.endOthers')}
                onClose={() => setEndingAll(false)}
                onConfirm={async () => {
                  const { body } = await call('delete', '/auth/sessions', {});
                  await refresh();
                  toast(t('account.ended', { n: body.ended }));
                }}
              >
                {t('account.endOthersWhy')}
              </Confirm>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}
