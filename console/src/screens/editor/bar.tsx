import { Link, useNavigate } from '@tanstack/react-router';
import {
  CheckCircle2,
  ChevronLeft,
  CloudOff,
  Ellipsis,
  History,
  OctagonAlert,
  Pencil,
  Play,
  Redo2,
  RotateCcw,
  Search,
  SlidersHorizontal,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { timeOfDay } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { State } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';
import { Menu } from '../../parts/menu.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { type Tester, useTest, useTester } from './rail/tester.ts';
import { type EditorSession, useAgentName, useEditor, useSession } from './session.ts';

/** Shows the test, also if a form lies over it. */
export function toTest(session: EditorSession, tester: Tester): void {
  session.select([]);
  tester.open();
}

/** The name of the agent in the bar, its version and how it is saved. */
export function Heading({ isPhone }: { isPhone: boolean }) {
  const name = useAgentName();
  return (
    <>
      {isPhone && (
        <Link to="/agents" className="back" aria-label={t('frame.agents')}>
          <ChevronLeft className="i" aria-hidden size={20} strokeWidth={1.5} />
        </Link>
      )}
      <h1 className="text-13 text-ink cut font-semibold">{name}</h1>
      {!isPhone && <VersionAndSaving />}
    </>
  );
}

export function VersionAndSaving({ isPhone = false }: { isPhone?: boolean }) {
  const { agentId } = useSession();
  const version = useEditor((state) => state.version);
  const save = useEditor((state) => state.save);
  const isDraft = version.version_status === 'draft' || save.is !== 'saved';
  // The first change after publishing makes the next version.
  const isNext = isDraft && version.version_status !== 'draft';
  const number = (version.version_number ?? 0) + (isNext ? 1 : 0);
  return (
    <>
      <Link
        to="/agents/$agentId/versions"
        params={{ agentId: String(agentId) }}
        className="versions"
        title={t('editor.versions')}
      >
        <State is={isDraft ? 'draft' : 'published'}>
          {t(isDraft ? 'editor.versionDraft' : 'editor.versionPublished', { version: number })}
        </State>
      </Link>
      <SaveNote isPhone={isPhone} />
    </>
  );
}

const saveIcons = {
  saved: CheckCircle2,
  waiting: Pencil,
  saving: Pencil,
  offline: CloudOff,
  refused: OctagonAlert,
  conflict: TriangleAlert,
} as const;

function SaveNote({ isPhone }: { isPhone: boolean }) {
  const save = useEditor((state) => state.save);
  const Icon = saveIcons[save.is];
  const words =
    save.is === 'saved'
      ? save.at === null || isPhone
        ? t('editor.save.upToDate')
        : t('editor.save.saved', { time: timeOfDay(save.at) })
      : t(`editor.save.${save.is}`);
  return (
    <span role="status" className={cx('save', `is-${save.is}`)}>
      <Icon className="i" aria-hidden size={14} strokeWidth={1.5} />
      <span>{words}</span>
    </span>
  );
}

export interface ViewProps {
  view: 'canvas' | 'outline';
  onView: (view: 'canvas' | 'outline') => void;
}

export const ViewSwitch = ({ view, onView }: ViewProps) => (
  <Segmented
    label={t('editor.view')}
    options={[
      { id: 'canvas', label: t('editor.canvas') },
      { id: 'outline', label: t('editor.outline') },
    ]}
    value={view}
    onChange={onView}
  />
);

/** The actions of the bar. */
export function Actions({ view, onView, isPhone }: ViewProps & { isPhone: boolean }) {
  const session = useSession();
  const navigate = useNavigate();
  const version = useEditor((state) => state.version);
  const past = useEditor((state) => state.history.past.at(-1)?.name);
  const future = useEditor((state) => state.history.future.at(-1)?.name);
  return (
    <>
      <span className="hide-s row">
        <IconButton
          icon={Undo2}
          needs="agents:write"
          label={past === undefined ? t('common.undo') : t('editor.undo', { name: past })}
          isDisabled={past === undefined}
          onPress={session.undo}
        />
        <IconButton
          icon={Redo2}
          needs="agents:write"
          label={future === undefined ? t('editor.redoNothing') : t('editor.redo', { name: future })}
          isDisabled={future === undefined}
          onPress={session.redo}
        />
        <IconButton icon={Search} label={t('editor.find')} onPress={() => session.ask({ for: 'find' })} />
      </span>
      {!isPhone && <ViewSwitch view={view} onView={onView} />}
      <Menu
        label={t('common.more')}
        trigger={<IconButton icon={Ellipsis} label={t('common.more')} />}
        entries={[
          {
            id: 'settings',
            label: t('editor.settings'),
            icon: SlidersHorizontal,
            onAction: () => session.ask({ for: 'settings' }),
          },
          {
            id: 'versions',
            label: t('editor.versions'),
            icon: History,
            onAction: () =>
              void navigate({
                to: '/agents/$agentId/versions',
                params: { agentId: String(session.agentId) },
              }),
          },
          {
            id: 'discard',
            needs: 'agents:write',
            label: t('editor.discard'),
            icon: RotateCcw,
            isDanger: true,
            isDisabled: version.version_status !== 'draft',
            onAction: () => session.ask({ for: 'discard' }),
          },
        ]}
      />
      {!isPhone && <TestButton />}
      <Button kind="primary" needs="agents:write" onPress={() => session.ask({ for: 'publish' })}>
        {t('editor.publish')}
      </Button>
    </>
  );
}

/** Opens and closes the test rail; brings it back from behind a form. */
function TestButton() {
  const session = useSession();
  const tester = useTester();
  const isOpen = useTest((state) => state.isOpen);
  const isCovered = useEditor((state) => state.selected.length > 0);
  const isShown = isOpen && !isCovered;
  return (
    <Button
      icon={Play}
      needs="calls:trigger"
      aria-expanded={isShown}
      onPress={() => (isShown ? tester.close() : toTest(session, tester))}
    >
      {t('rail.button')}
    </Button>
  );
}
