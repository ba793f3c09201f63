import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../app/api.ts';
import { queries } from '../../app/query.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { CodeField, CodeWays, useCode } from './code.tsx';
import { OpenedLink } from './opened-link.tsx';

/** Chooses a new password by a link, and signs in. */
export function NewPasswordPage({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <OpenedLink
      of="newPassword"
      token={token}
      read={async () => (await call('post', '/auth/password-link', { body: { token } })).body}
      titleOf={() => t('newPassword.title')}
      onDone={onDone}
    >
      {({ email }) => <Choose token={token} email={email} onDone={onDone} />}
    </OpenedLink>
  );
}

function Choose({ token, email, onDone }: { token: string; email: string; onDone: () => void }) {
  const [password, setPassword] = useState('');
  const code = useCode();
  const { run, error, isBusy } = useAction();
  const fault =
    error instanceof ApiError ? error.faults.find(({ loc }) => loc.at(-1) === 'password')?.msg : undefined;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    run(() =>
      code.asking(async (given) => {
        const { body } = await call('post', '/auth/password-link/use', {
          body: { token, password, ...given },
        });
        session.set(body);
        queries.clear();
        onDone();
      }),
    );
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
            label={t('newPassword.password')}
            type="password"
            value={password}
            onChange={setPassword}
            hint={t('newPassword.hint')}
            autoComplete="new-password"
            error={fault}
            hasFocus
          />
        </>
      )}
      {fault === undefined && <Refusal error={error} />}
      <Button type="submit" sends={false} kind="primary" size="lg" isDisabled={isBusy}>
        {t('newPassword.submit')}
      </Button>
      {code.isAsked && <CodeWays code={code} />}
    </form>
  );
}
