import { useEffect, useState } from 'react';
import { onExpired } from '../../app/api.ts';
import { queries } from '../../app/query.ts';
import { rootPath } from '../../app/root.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password over the page when the session has ended; refused requests are then repeated. */
export function SignInAgain() {
  const [waiting, setWaiting] = useState<readonly (() => void)[]>([]);
  const before = session.get()?.user;
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
          // Another role may see and do other things; of another organization nothing here is true.
          const now = session.get()?.user;
          if (now?.organization_id !== before?.organization_id) return location.assign(`${rootPath}/`);
          if (now?.role !== before?.role) void queries.invalidateQueries();
          for (const resume of waiting) resume();
          setWaiting([]);
        }}
      />
    </Dialog>
  );
}
