import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../app/api.ts';
import { queries } from '../../app/query.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { ShownInvitation } from '../../../../src/contract/people.ts';
import { CodeField, CodeWays, useCode } from './code.tsx';
import { OpenedLink } from './opened-link.tsx';

/** What an invitation offers, and the way in. */
export function InvitationPage({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <OpenedLink
      of="invitation"
      token={token}
      read={async () => (await call('post', '/auth/invitation', { body: { token } })).body}
      titleOf={(offer) => t('invitation.title', { organization: offer.organization_name })}
      onDone={onDone}
    >
      {(offer) => <Offer token={token} offer={offer} onDone={onDone} />}
    </OpenedLink>
  );
}

function Offer({ token, offer, onDone }: { token: string; offer: ShownInvitation; onDone: () => void }) {
  const { email, role } = offer;
  const signedInAs = session.get()?.user.email;
  return (
    <>
      <div>
        <p className="text-ink">{t('invitation.as', { role: t(`people.role.${role}`) })}</p>
        <p className="text-muted">{t(`people.does.${role}`)}</p>
      </div>
      {signedInAs === email ? (
        <JoinAs token={token} email={email} onDone={onDone} />
      ) : (
        <>
          {signedInAs !== undefined && (
            <p className="text-muted">{t('invitation.other', { email: signedInAs })}</p>
          )}
          <JoinByPassword token={token} email={email} onDone={onDone} />
        </>
      )}
    </>
  );
}

interface Joining {
  token: string;
  email: string;
  onDone: () => void;
}

function JoinAs({ token, email, onDone }: Joining) {
  const { run, error, isBusy } = useAction();
  const join = () =>
    run(async () => {
      session.set((await call('post', '/user/invitations/accept', { body: { token } })).body);
      queries.clear();
      onDone();
    });
  return (
    <>
      <Button kind="primary" size="lg" isDisabled={isBusy} onPress={join}>
        {t('invitation.joinAs', { email })}
      </Button>
      <Refusal error={error} />
    </>
  );
}

function JoinByPassword({ token, email, onDone }: Joining) {
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const code = useCode();
  const { run, error, isBusy } = useAction();
  const fault =
    error instanceof ApiError ? error.faults.find(({ loc }) => loc.at(-1) === 'password')?.msg : undefined;
  const join = () =>
    run(() =>
      code.asking(async (given) => {
        const { body } = await call('post', '/auth/invitation/accept', {
          body: { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }), ...given },
        });
        session.set(body);
        queries.clear();
        onDone();
      }),
    );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    join();
  };
  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-4">
      {code.isAsked ? (
        <CodeField code={code} />
      ) : (
        <>
          <p>
            <span className="text-hint">{t('invitation.for')}</span> <span className="text-ink">{email}</span>
          </p>
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <TextField
            label={t('invitation.password')}
            type="password"
            value={password}
            onChange={setPassword}
            hint={t('invitation.passwordHint')}
            autoComplete="current-password"
            error={fault}
            hasFocus
          />
          <TextField label={t('invitation.name')} value={name} onChange={setName} autoComplete="name" />
        </>
      )}
      {fault === undefined && <Refusal error={error} />}
      <Button type="submit" sends={false} kind="primary" size="lg" isDisabled={isBusy}>
        {t('invitation.join')}
      </Button>
      {code.isAsked && <CodeWays code={code} />}
    </form>
  );
}
