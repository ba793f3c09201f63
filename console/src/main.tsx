import './styles/index.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect, useState, useSyncExternalStore } from 'react';
import { I18nProvider as AriaLocale } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { queries } from './app/query.ts';
import { router } from './app/router.tsx';
import { session } from './app/session.ts';
import { locale } from './app/words.ts';
import { InvitationPage, takeInvitation } from './screens/sign-in/invitation.tsx';
import { followLink, hasLink, SignIn } from './screens/sign-in/sign-in.tsx';

const invited = takeInvitation();

function App() {
  const isSignedIn = useSyncExternalStore(session.subscribe, () => session.get() !== null);
  const [invitation, setInvitation] = useState(invited);
  const [link, setLink] = useState<'following' | 'used' | 'none'>(hasLink() ? 'following' : 'none');
  useEffect(() => {
    if (link === 'following') void followLink().then((isIn) => setLink(isIn ? 'none' : 'used'));
  }, [link]);
  if (invitation !== null) return <InvitationPage token={invitation} onDone={() => setInvitation(null)} />;
  if (link === 'following') return null;
  return isSignedIn ? <RouterProvider router={router} /> : <SignIn isLinkUsed={link === 'used'} />;
}

const place = document.querySelector('#root');
if (place === null) throw new Error('The page has no place for the console');
createRoot(place).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <AriaLocale locale={locale === 'ar' ? 'ar' : 'en-US'}>
        <QueryClientProvider client={queries}>
          <App />
        </QueryClientProvider>
      </AriaLocale>
    </I18nProvider>
  </StrictMode>,
);
