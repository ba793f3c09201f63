import { useState } from 'react';
import { call } from '../../app/api.ts';
import { queries } from '../../app/query.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { ShownInvitation } from '../../../../src/contract/people.ts';
import { OpenedLink } from './opened-link.tsx';
import { PasswordForm } from './password-form.tsx';

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
  const [name, setName] = useState('');
  return (
    <PasswordForm
      email={email}
      field={{
        label: t('invitation.password'),
        hint: t('invitation.passwordHint'),
        autoComplete: 'current-password',
      }}
      button={t('invitation.join')}
      send={(given) =>
        call('post', '/auth/invitation/accept', {
          body: { token, ...(name.trim() === '' ? {} : { name: name.trim() }), ...given },
        })
      }
      onDone={onDone}
    >
      <TextField label={t('invitation.name')} value={name} onChange={setName} autoComplete="name" />
    </PasswordForm>
  );
}
