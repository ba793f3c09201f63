import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { BookOpen, CloudOff, Ellipsis, Search, SunMoon, UserRound } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Mark } from '../parts/mark.tsx';
import { Menu } from '../parts/menu.tsx';
import { Skeleton } from '../parts/states.tsx';
import { toast, Toasts } from '../parts/toast.tsx';
import { call, onExpired, onReturn } from './api.ts';
import { awayId, useLostAt } from './away.ts';
import { timeOfDay } from './format.ts';
import { whenIdle } from './idle.ts';
import { initials } from './initials.ts';
import { later } from './later.tsx';
import { toggleNumbers, useHasNumbers } from './numbers.ts';
import { get, queries } from './query.ts';
import { useCurrentPerson, useMay } from './may.ts';
import { OrganizationName, useOrganizationEntries } from './organizations.tsx';
import { type Entry, rooms, settings } from './rooms.ts';
import { rootPath } from './root.ts';
import { sendOrRun } from './send.ts';
import { session } from './session.ts';
import { type Shortcut, useSharedShortcuts } from './shortcuts.ts';
import { useOrganizationZone } from './use-zone.ts';
import { t } from './words.ts';

/** Entries of the bar below on a phone, of people who build agents and of others; the rest is in its menu. */
const onPhone = { builders: ['/', '/agents', '/calls'], others: ['/', '/calls', '/campaigns'] };

const allRooms = [...rooms.flatMap(({ entries }) => entries), settings];

const isAt = (path: string, to: string): boolean => (to === '/' ? path === '/' : path.startsWith(to));

function RailEntry({ path, entry: { to, label, icon: Icon } }: { path: string; entry: Entry }) {
  return (
    <Link
      to={to}
      className="nav"
      title={label}
      {...(isAt(path, to) ? { 'aria-current': 'page' as const } : { 'aria-current': undefined })}
    >
      <Icon className="i" aria-hidden size={16} strokeWidth={1.5} />
      <span>{label}</span>
    </Link>
  );
}

function Rail({ path }: { path: string }) {
  return (
    <nav className="rail" aria-label={t('frame.main')}>
      <div className="org">
        <Mark />
        <OrganizationName />
      </div>
      {rooms.map(({ label, entries }) => (
        <div key={label ?? 'top'}>
          {label !== null && <div className="caps group">{label}</div>}
          {entries.map((entry) => (
            <RailEntry key={entry.to} path={path} entry={entry} />
          ))}
        </div>
      ))}
      <div className="foot">
        <RailEntry path={path} entry={settings} />
        <a className="nav" href={`${rootPath}/api/v1/docs`} title={t('frame.reference')}>
          <BookOpen className="i" aria-hidden size={16} strokeWidth={1.5} />
          <span>{t('frame.reference')}</span>
        </a>
      </div>
    </nav>
  );
}

async function signOut(): Promise<void> {
  await call('post', '/auth/logout', {}).catch(() => undefined); // the session ends here in any case
  session.set(null);
  queries.clear();
}

function AccountMenu() {
  const user = session.get()?.user;
  const letters = initials(user?.name ?? user?.email ?? '?');
  const navigate = useNavigate();
  const organizations = useOrganizationEntries();
  return (
    <Menu
      label={t('frame.account')}
      trigger={
        <AriaButton aria-label={t('frame.accountOf', { initials: letters })} className="face">
          {letters}
        </AriaButton>
      }
      entries={[
        { id: 'who', label: user?.email ?? '', isDisabled: true, onAction: () => undefined },
        {
          id: 'account',
          label: t('frame.account'),
          icon: UserRound,
          onAction: () => void navigate({ to: '/settings', search: { tab: 'account' } }),
        },
        {
          id: 'appearance',
          label: t('frame.appearance'),
          icon: SunMoon,
          onAction: () => void navigate({ to: '/settings', search: { tab: 'appearance' } }),
        },
        ...(organizations.length === 0 ? [] : [null, ...organizations]),
        null,
        { id: 'out', label: t('frame.signOut'), onAction: () => void signOut() },
      ]}
    />
  );
}

/** Says that the API does not answer. What stands beside it is grey meanwhile (styles/parts.css). */
export function Unreachable() {
  const lostAt = useLostAt();
  return (
    <div role="status">
      {lostAt !== null && (
        <div id={awayId} className="banner is-bad">
          <CloudOff className="i" aria-hidden size={16} strokeWidth={1.5} />
          {t('frame.unreachable', { time: timeOfDay(lostAt) })}
        </div>
      )}
    </div>
  );
}

onReturn(() => toast(t('frame.answersAgain')));

function Banners() {
  const { data } = useQuery(get('/organizations/dialing', {}));
  return (
    <>
      <Unreachable />
      {data?.is_stopped === true && (
        <div role="status" className="banner is-warn">
          {t('frame.dialingStopped')}
        </div>
      )}
    </>
  );
}

function PhoneBar({ path }: { path: string }) {
  const entries = allRooms;
  const shown = useMay()('agents:write') ? onPhone.builders : onPhone.others;
  return (
    <nav className="tabbar" aria-label={t('frame.main')}>
      {entries
        .filter(({ to }) => shown.includes(to))
        .map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            {...(isAt(path, to) ? { 'aria-current': 'page' as const } : { 'aria-current': undefined })}
          >
            <Icon className="i" aria-hidden strokeWidth={1.5} />
            {label}
          </Link>
        ))}
      <MoreMenu entries={entries.filter(({ to }) => !shown.includes(to))} />
    </nav>
  );
}

function MoreMenu({ entries }: { entries: readonly Entry[] }) {
  const navigate = useNavigate();
  return (
    <Menu
      label={t('common.more')}
      trigger={
        <AriaButton className="tabbar-more">
          <Ellipsis className="i" aria-hidden strokeWidth={1.5} />
          {t('common.more')}
        </AriaButton>
      }
      entries={entries.map(({ to, label, icon }) => ({
        id: to,
        label,
        icon,
        onAction: () => void navigate({ to }),
      }))}
    />
  );
}

const Bell = later(async () => (await import('./bell.tsx')).Bell);
const Palette = later(async () => (await import('./palette.tsx')).Palette);
const Help = later(async () => (await import('./help.tsx')).Help);
const SignInAgain = later(async () => (await import('../screens/sign-in/sign-in-again.tsx')).SignInAgain);

const CallMe = lazy(async () => ({ default: (await import('../screens/telephony/call-me.tsx')).CallMe }));

/** What needs somebody is asked for after what the page shows. */
function BellWhenIdle() {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return <span className="bell-place">{isIdle && <Bell />}</span>;
}

/** The palette, the help and the shortcuts of every page. */
function Everywhere({
  isSearching,
  setSearching,
}: {
  isSearching: boolean;
  setSearching: (is: boolean) => void;
}) {
  const navigate = useNavigate();
  const [isHelping, setHelping] = useState(false);
  const [isCalling, setCalling] = useState(false);
  const callMe = useCallback(() => {
    setCalling(true);
    void navigate({ to: '/telephony' });
  }, [navigate]);
  const hasNumbers = useHasNumbers();
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'Ctrl+k', words: t('palette.open'), run: () => setSearching(true) },
      { keys: '?', words: t('help.open'), run: () => setHelping(true) },
      { keys: 'Ctrl+Enter', words: t('help.send'), run: sendOrRun },
      ...(hasNumbers ? [{ keys: 'p', words: t('frame.numbers'), run: toggleNumbers }] : []),
      ...allRooms.map(({ to, label, key }) => ({
        keys: `g ${key}`,
        words: t('help.go', { room: label }),
        run: () => void navigate({ to }),
      })),
    ],
    [navigate, setSearching, hasNumbers],
  );
  useSharedShortcuts(shortcuts);
  return (
    <>
      {isSearching && <Palette rooms={allRooms} onCallMe={callMe} onClose={() => setSearching(false)} />}
      {isCalling && (
        <Suspense>
          <CallMe onClose={() => setCalling(false)} />
        </Suspense>
      )}
      {isHelping && <Help onClose={() => setHelping(false)} />}
    </>
  );
}

/** Asks for the password when the session has ended; refused requests are then repeated. */
function Expired() {
  const [waiting, setWaiting] = useState<readonly (() => void)[]>([]);
  useEffect(() => {
    onExpired(async () => await new Promise<void>((resolve) => setWaiting((now) => [...now, resolve])));
    return () => onExpired(null);
  }, []);
  const before = session.get()?.user;
  const resume = () => {
    // Another role may see and do other things; of another organization nothing here is true.
    const now = session.get()?.user;
    if (now?.organization_id !== before?.organization_id) return location.assign(`${rootPath}/`);
    if (now?.role !== before?.role) void queries.invalidateQueries();
    for (const each of waiting) each();
    setWaiting([]);
  };
  return waiting.length === 0 ? null : <SignInAgain onSignedIn={resume} />;
}

/** Whose style sheet applies, also to dialogs and menus outside of the page (`console/src/styles`). */
function sheetOf(path: string): string {
  if (path === '/') return 'home';
  if (/^\/agents\/\d+\/?$/.test(path)) return 'editor';
  const [, room = ''] = path.split('/');
  if (room === 'live') return 'calls';
  return ['agents', 'calls', 'welcome'].includes(room) ? room : 'rooms';
}

/** The frame of all rooms: the rail, the bar of the page, and its content. */
export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // The page that is shown, which follows the address when its code is loaded.
  const shown = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '/' });
  useLayoutEffect(() => {
    document.documentElement.dataset['room'] = sheetOf(shown);
  }, [shown]);
  useCurrentPerson();
  const zone = useOrganizationZone();
  const isEditor = /^\/agents\/\d+/.test(path);
  const [isSearching, setSearching] = useState(false);
  // The first run is the whole window.
  if (path === '/welcome')
    return (
      <>
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
        <Expired />
      </>
    );
  return (
    <div className={isEditor ? 'app slim' : 'app'}>
      <a className="btn skip" href="#content">
        {t('frame.skip')}
      </a>
      <Rail path={path} />
      <header className="bar">
        <div id="bar" className="flex min-w-0 flex-1 items-center gap-2" />
        <AriaButton
          className="search"
          aria-label={`${t('palette.open')} Ctrl K`}
          onPress={() => setSearching(true)}
        >
          <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
          <span>{t('palette.open')}</span> <kbd>Ctrl K</kbd>
        </AriaButton>
        <BellWhenIdle />
        <AccountMenu />
      </header>
      <main id="content" className="main flex flex-col" tabIndex={-1}>
        <Banners />
        {/* Every moment on the page is written anew in another zone. */}
        <Suspense key={zone} fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <PhoneBar path={path} />
      <Toasts />
      <Everywhere isSearching={isSearching} setSearching={setSearching} />
      <Expired />
    </div>
  );
}
