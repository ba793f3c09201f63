import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Mark } from '../../parts/mark.tsx';
import { KeyForm, SignInForm } from './sign-in-form.tsx';

export function SignIn({ isLinkUsed }: { isLinkUsed: boolean }) {
  const { data: health } = useQuery(get('/health', {}));
  const [way, setWay] = useState<'password' | 'signUp' | 'key'>('password');
  const isSignUp = way === 'signUp';
  const title = isSignUp ? t('signIn.signUpTitle') : t('signIn.title');
  useEffect(() => {
    document.title = `${title} · Parlance`;
  }, [title]);
  const ways = (
    <>
      <div className="grid gap-1">
        {way !== 'password' && (
          <Button kind="ghost" onPress={() => setWay('password')}>
            {t(isSignUp ? 'signIn.toSignIn' : 'signIn.toPassword')}
          </Button>
        )}
        {way === 'password' && health?.signup_enabled === true && (
          <Button kind="ghost" onPress={() => setWay('signUp')}>
            {t('signIn.toSignUp')}
          </Button>
        )}
        {way !== 'key' && (
          <Button kind="ghost" onPress={() => setWay('key')}>
            {t('signIn.toKey')}
          </Button>
        )}
      </div>
      {health?.signup_enabled === false && (
        <p className="text-muted text-12 text-center">{t('signIn.closed')}</p>
      )}
    </>
  );
  return (
    <main className="bg-ground grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-[360px]">
        <div className="mb-6 grid justify-items-center gap-3">
          <Mark />
          <h1 className="title">{title}</h1>
        </div>
        <div className="card grid gap-4 p-5">
          {isLinkUsed && <p className="text-warn-text">{t('signIn.linkUsed')}</p>}
          {way === 'key' ? (
            <>
              <KeyForm onSignedIn={() => undefined} />
              {ways}
            </>
          ) : (
            <SignInForm key={way} isSignUp={isSignUp} onSignedIn={() => undefined}>
              {ways}
            </SignInForm>
          )}
        </div>
      </div>
    </main>
  );
}
