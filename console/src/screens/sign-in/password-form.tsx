import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../app/api.ts';
import { queries } from '../../app/query.ts';
import { session, type Session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField, type TextFieldProps } from '../../parts/text-field.tsx';
import { CodeField, CodeWays, useCode } from './code.tsx';

/** Signs in by a link: with a password of the account that the link names, and a code if the account demands one. */
export function PasswordForm({
  email,
  field,
  button,
  send,
  onDone,
  children,
}: {
  email: string;
  field: Pick<TextFieldProps, 'label' | 'hint' | 'autoComplete'>;
  button: string;
  send: (given: { password: string; code?: string }) => Promise<{ body: Session }>;
  onDone: () => void;
  /** Further fields. */
  children?: ReactNode;
}) {
  const [password, setPassword] = useState('');
  const code = useCode();
  const { run, error, isBusy } = useAction();
  const fault =
    error instanceof ApiError ? error.faults.find(({ loc }) => loc.at(-1) === 'password')?.msg : undefined;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    run(() =>
      code.asking(async (given) => {
        session.set((await send({ password, ...given })).body);
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
            {...field}
            type="password"
            value={password}
            onChange={setPassword}
            error={fault}
            hasFocus
          />
          {children}
        </>
      )}
      {fault === undefined && <Refusal error={error} />}
      <Button type="submit" sends={false} kind="primary" size="lg" isDisabled={isBusy}>
        {button}
      </Button>
      {code.isAsked && <CodeWays code={code} />}
    </form>
  );
}
