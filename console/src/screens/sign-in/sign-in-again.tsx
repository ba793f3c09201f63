import { LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** The field in which somebody is typing. */
function typedIn(): HTMLElement | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement)) return null;
  const isField =
    focused.isContentEditable ||
    focused.matches('textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])');
  return isField ? focused : null;
}

/**
 * Asks for the password over the page. Somebody who is typing goes on beside a notice: the dialog, which takes the
 * keyboard, comes when they ask for it, submit, or press something.
 */
export function SignInAgain({ onSignedIn }: { onSignedIn: () => void }) {
  const [field, setField] = useState(typedIn);
  const isTyping = field !== null;
  useEffect(() => {
    if (!isTyping) return;
    const over = new AbortController();
    // After what they did, so that it is done, and waits for the session.
    const ask = () => setTimeout(() => setField(null));
    const onClick = () => setTimeout(() => setField((now) => typedIn() && now));
    addEventListener('submit', ask, { capture: true, signal: over.signal });
    addEventListener('click', onClick, { capture: true, signal: over.signal });
    return () => over.abort();
  }, [isTyping]);
  if (field !== null)
    return (
      // Within reach over a dialog, too.
      <div className="toasts is-above" data-react-aria-top-layer="true">
        <div role="alert" className="toast">
          <LogIn className="text-icon shrink-0" aria-hidden size={16} strokeWidth={1.5} />
          <span className="flex-1 pe-1">{t('signIn.againTyping')}</span>
          <Button
            size="xs"
            kind="primary"
            preventFocusOnPress
            onPress={() => {
              field.focus(); // where the dialog brings them back
              setField(null);
            }}
          >
            {t('signIn.submit')}
          </Button>
        </div>
      </div>
    );
  return (
    <Dialog title={t('signIn.again')} isOpen onClose={() => undefined} isModalOnly>
      <p className="text-muted mb-4">{t('signIn.againWhy')}</p>
      <SignInForm isSignUp={false} onSignedIn={onSignedIn} />
    </Dialog>
  );
}
