import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../app/api.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';

interface Faults {
  email?: string;
  password?: string;
  form?: string;
}

function faultsOf(error: unknown): Faults {
  if (!(error instanceof ApiError)) return { form: t('common.unexpected') };
  const faultOf = (name: string) => error.faults.find(({ loc }) => loc.at(-1) === name)?.msg;
  const [email, password] = [faultOf('email'), faultOf('password')];
  if (email === undefined && password === undefined) return { form: error.message };
  return { ...(email === undefined ? {} : { email }), ...(password === undefined ? {} : { password }) };
}

/** Signs a person in, or up where that is open. */
export function SignInForm({ isSignUp, onSignedIn }: { isSignUp: boolean; onSignedIn: () => void }) {
  const [values, setValues] = useState({ email: '', password: '', name: '' });
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  const set = (name: keyof typeof values) => (value: string) =>
    setValues((now) => ({ ...now, [name]: value }));
  const submit = async (): Promise<void> => {
    const { email, password, name } = values;
    const missing = {
      ...(email.trim() === '' ? { email: t('signIn.emailMissing') } : {}),
      ...(password === '' ? { password: t('signIn.passwordMissing') } : {}),
    };
    setFaults(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      const { body } = isSignUp
        ? await call('post', '/auth/signup', {
            body: { email, password, ...(name.trim() === '' ? {} : { name }) },
          })
        : await call('post', '/auth/login', { body: { email, password } });
      session.set(body);
      onSignedIn();
    } catch (error) {
      setFaults(faultsOf(error));
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-4">
      {isSignUp && (
        <TextField label={t('signIn.name')} value={values.name} onChange={set('name')} autoComplete="name" />
      )}
      <TextField
        label={t('signIn.email')}
        type="email"
        hasFocus
        value={values.email}
        onChange={set('email')}
        autoComplete="username"
        error={faults.email}
      />
      <TextField
        label={t('signIn.password')}
        type="password"
        value={values.password}
        onChange={set('password')}
        autoComplete={isSignUp ? 'new-password' : 'current-password'}
        error={faults.password}
        {...(isSignUp ? { hint: t('signIn.passwordHint') } : {})}
      />
      {faults.form !== undefined && (
        <p role="alert" className="text-bad-text">
          {faults.form}
        </p>
      )}
      <Button type="submit" sends={false} kind="primary" size="lg" isDisabled={isBusy}>
        {isSignUp ? t('signIn.submitSignUp') : t('signIn.submit')}
      </Button>
    </form>
  );
}
