import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, call } from '../../app/api.ts';
import { nowMs } from '../../app/clock.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { CodeField, CodeWays, useCode } from './code.tsx';
import { TooOften } from './too-often.tsx';

interface Faults {
  email?: string;
  password?: string;
  form?: string;
  /** Too many attempts: no other counts before this moment. */
  untilMs?: number;
}

function faultsOf(error: unknown): Faults {
  if (!(error instanceof ApiError)) return { form: t('common.unexpected') };
  if (error.status === 429 && error.retryAfterSeconds !== null)
    return { untilMs: nowMs() + error.retryAfterSeconds * 1000 };
  const faultOf = (name: string) => error.faults.find(({ loc }) => loc.at(-1) === name)?.msg;
  const [email, password] = [faultOf('email'), faultOf('password')];
  if (email === undefined && password === undefined) return { form: error.message };
  return { ...(email === undefined ? {} : { email }), ...(password === undefined ? {} : { password }) };
}

/** What a form that signs somebody in has in common: its way to the API, and what was refused. */
function useSigningIn() {
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  const signIn = async (missing: Faults, work: () => Promise<void>): Promise<void> => {
    setFaults(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setFaults(faultsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { faults, isBusy, signIn, retry: () => setFaults({}) };
}

/** Signs a person in, or up where that is open. */
export function SignInForm({
  isSignUp,
  onSignedIn,
  children,
}: {
  isSignUp: boolean;
  onSignedIn: () => void;
  /** Other ways in, while the form asks for the password. */
  children?: ReactNode;
}) {
  const [values, setValues] = useState({ email: '', password: '', name: '' });
  const { faults, isBusy, signIn, retry } = useSigningIn();
  const code = useCode();
  const set = (name: keyof typeof values) => (value: string) =>
    setValues((now) => ({ ...now, [name]: value }));
  const { email, password, name } = values;
  const submit = async () =>
    await signIn(
      {
        ...(email.trim() === '' ? { email: t('signIn.emailMissing') } : {}),
        ...(password === '' ? { password: t('signIn.passwordMissing') } : {}),
      },
      () =>
        code.asking(async (given) => {
          // Who signs up with an account that demands a code has one already.
          const { body } =
            isSignUp && given.code === undefined
              ? await call('post', '/auth/signup', {
                  body: { email, password, ...(name.trim() === '' ? {} : { name }) },
                })
              : await call('post', '/auth/login', { body: { email, password, ...given } });
          session.set(body);
          onSignedIn();
        }),
    );
  if (code.isAsked)
    return (
      <>
        <Form faults={faults} isBusy={isBusy} button={t('signIn.submit')} onSubmit={submit} onRetry={retry}>
          <CodeField code={code} />
        </Form>
        <CodeWays code={code} />
      </>
    );
  return (
    <>
      <Form
        faults={faults}
        isBusy={isBusy}
        button={isSignUp ? t('signIn.submitSignUp') : t('signIn.submit')}
        onSubmit={submit}
        onRetry={retry}
      >
        {isSignUp && (
          <TextField
            label={t('signIn.name')}
            value={values.name}
            onChange={set('name')}
            autoComplete="name"
          />
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
      </Form>
      {children}
    </>
  );
}

/** Opens the console with an API key instead of a session: it does what the key may. */
export function KeyForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [key, setKey] = useState('');
  const { faults, isBusy, signIn, retry } = useSigningIn();
  const token = key.trim();
  const submit = async () =>
    await signIn(token === '' ? { password: t('signIn.keyMissing') } : {}, async () => {
      const { body: user } = await call('get', '/auth/me', { token });
      session.set({ token, user });
      onSignedIn();
    });
  return (
    <Form faults={faults} isBusy={isBusy} button={t('signIn.submit')} onSubmit={submit} onRetry={retry}>
      <TextField
        label={t('signIn.key')}
        type="password"
        hasFocus
        isCode
        value={key}
        onChange={setKey}
        autoComplete="off"
        error={faults.password}
        hint={t('signIn.keyHint')}
      />
    </Form>
  );
}

function Form({
  faults: { form, untilMs },
  isBusy,
  button,
  onSubmit,
  onRetry,
  children,
}: {
  faults: Faults;
  isBusy: boolean;
  button: string;
  onSubmit: () => Promise<void>;
  onRetry: () => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {children}
      {form !== undefined && (
        <p role="alert" className="text-bad-text">
          {form}
        </p>
      )}
      {untilMs !== undefined && <TooOften untilMs={untilMs} onOver={onRetry} />}
      <Button
        type="submit"
        sends={false}
        kind="primary"
        size="lg"
        isDisabled={isBusy || untilMs !== undefined}
      >
        {button}
      </Button>
    </form>
  );
}
