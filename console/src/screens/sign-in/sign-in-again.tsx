import { t } from '../../app/words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password over the page. */
export function SignInAgain({ onSignedIn }: { onSignedIn: () => void }) {
  return (
    <Dialog title={t('signIn.again')} isOpen onClose={() => undefined} isModalOnly>
      <p className="text-muted mb-4">{t('signIn.againWhy')}</p>
      <SignInForm isSignUp={false} onSignedIn={onSignedIn} />
    </Dialog>
  );
}
