import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect, useState, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { later } from './app/later.tsx';
import { queries } from './app/query.ts';
import { router } from './app/router.tsx';
import { session } from './app/session.ts';
import { refuseStrayFiles } from './app/stray-files.ts';
import { trustEmptyText } from './app/trusted.ts';
import { locale } from './app/words.ts';
import { followLink, hasLink, invited, renewed } from './screens/sign-in/link.ts';

const InvitationPage = later(async () => (await import('./screens/sign-in/invitation.tsx')).InvitationPage);
const NewPasswordPage = later(
  async () => (await import('./screens/sign-in/new-password.tsx')).NewPasswordPage,
);
const SignIn = later(async () => (await import('./screens/sign-in/sign-in.tsx')).SignIn);

function App() {
  const isSignedIn = useSyncExternalStore(session.subscribe, () => session.get() !== null);
  const [invitation, setInvitation] = useState(invited);
  const [password, setPassword] = useState(renewed);
  const [link, setLink] = useState<'following' | 'used' | 'none'>(hasLink() ? 'following' : 'none');
  useEffect(() => {
    if (link === 'following') void followLink().then((isIn) => setLink(isIn ? 'none' : 'used'));
  }, [link]);
  if (invitation !== null) return <InvitationPage token={invitation} onDone={() => setInvitation(null)} />;
  if (password !== null) return <NewPasswordPage token={password} onDone={() => setPassword(null)} />;
  if (link === 'following') return null;
  return isSignedIn ? <RouterProvider router={router} /> : <SignIn isLinkUsed={link === 'used'} />;
}

/** The frame of index.html stays until the code of the room is there. Meanwhile the room's data is on its way. */
async function start(): Promise<void> {
  const place = document.querySelector('#root');
  if (place === null) throw new Error('The page has no place for the console');
  trustEmptyText();
  refuseStrayFiles();
  if (session.get() !== null) await router.load();
  createRoot(place).render(
    <StrictMode>
      <I18nProvider locale={locale === 'ar' ? 'ar' : 'en-US'}>
        <QueryClientProvider client={queries}>
          <App />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}

void start();
