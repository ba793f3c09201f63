import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Mark } from '../../parts/mark.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn({ isLinkUsed }: { isLinkUsed: boolean }) {
  const { data: health } = useQuery(get('/health', {}));
  const [isSignUp, setSignUp] = useState(false);
  const title = isSignUp ? t('signIn.signUpTitle') : t('signIn.title');
  useEffect(() => {
    document.title = `${title} · Parlance`;
  }, [title]);
  return (
    <main className="bg-ground grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-[360px]">
        <div className="mb-6 grid justify-items-center gap-3">
          <Mark />
          <h1 className="title">{title}</h1>
        </div>
        <div className="card grid gap-4 p-5">
          {isLinkUsed && <p className="text-warn-text">{t('signIn.linkUsed')}</p>}
          <SignInForm isSignUp={isSignUp} onSignedIn={() => undefined} />
          {health?.signup_enabled === true && (
            <Button kind="ghost" onPress={() => setSignUp(!isSignUp)}>
              {isSignUp ? t('signIn.toSignIn') : t('signIn.toSignUp')}
            </Button>
          )}
        </div>
      </div>
    </main>
  );
}
