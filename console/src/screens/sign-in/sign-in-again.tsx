import { useEffect, useState } from 'react';
import { onExpired } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password over the page when the session has ended; refused requests are then repeated. */
export function SignInAgain() {
  const [waiting, setWaiting] = useState<readonly (() => void)[]>([]);
  useEffect(() => {
    onExpired(async () => await new Promise<void>((resolve) => setWaiting((now) => [...now, resolve])));
    return () => onExpired(null);
  }, []);
  return (
    <Dialog title={t('signIn.again')} isOpen={waiting.length > 0} onClose={() => undefined} isModalOnly>
      <p className="text-muted mb-4">{t('signIn.againWhy')}</p>
      <SignInForm
        isSignUp={false}
        onSignedIn={() => {
          for (const resume of waiting) resume();
          setWaiting([]);
        }}
      />
    </Dialog>
  );
}
