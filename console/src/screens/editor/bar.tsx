import { Link, useNavigate } from '@tanstack/react-router';
import {
  CheckCircle2,
  ChevronDown,
  ChevronLeft,
  CloudOff,
  GitCompareArrows,
  History,
  OctagonAlert,
  Pencil,
  Play,
  Redo2,
  RotateCcw,
  Search,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { timeOfDay } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { SeverityIcon } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';
import { Menu } from '../../parts/menu.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import type { VersionsSearch } from '../versions/search.ts';
import { AgentName } from './agent-name.tsx';
import { type Tester, useTest, useTester } from './rail/tester.ts';
import { type EditorSession, useEditor, useSession } from './session.ts';

/** Shows the test, also if a form lies over it. */
export function toTest(session: EditorSession, tester: Tester): void {
  session.select([]);
  tester.open();
}

/** The name of the agent in the bar, its version and how it is saved. */
export const Heading = ({ isPhone }: { isPhone: boolean }) => (
  <>
    {isPhone && (
      <Link to="/agents" className="back" aria-label={t('frame.agents')}>
        <ChevronLeft className="i" aria-hidden size={20} strokeWidth={1.5} />
      </Link>
    )}
    <AgentName />
    {!isPhone && <VersionAndSaving />}
  </>
);

export function VersionAndSaving({ isPhone = false }: { isPhone?: boolean }) {
  const version = useEditor((state) => state.version);
  const save = useEditor((state) => state.save);
  const isDraft = version.version_status === 'draft' || save.is !== 'saved';
  // The first change after publishing makes the next version.
  const isNext = isDraft && version.version_status !== 'draft';
  const number = (version.version_number ?? 0) + (isNext ? 1 : 0);
  return (
    <>
      <VersionMenu
        isDraft={isDraft}
        words={t(isDraft ? 'editor.versionDraft' : 'editor.versionPublished', { version: number })}
      />
      <SaveNote isPhone={isPhone} />
    </>
  );
}

/** The version that is shown, and what can be done with the others. */
function VersionMenu({ isDraft, words }: { isDraft: boolean; words: string }) {
  const session = useSession();
  const navigate = useNavigate();
  const number = useEditor((state) => state.version.version_number);
  const isStored = useEditor((state) => state.version.version_status === 'draft');
  const leave = async (search: VersionsSearch) => {
    await session.flush();
    await navigate({
      to: '/agents/$agentId/versions',
      params: { agentId: String(session.agentId) },
      search,
    });
  };
  const isFirst = (number ?? 1) <= 1;
  return (
    <Menu
      label={t('editor.versions')}
      trigger={
        <AriaButton className={cx('badge versions', isDraft ? 'draft' : 'pub')}>
          {isDraft ? <Pencil className="i" aria-hidden /> : <CheckCircle2 className="i" aria-hidden />}
          <span className="cut">{words}</span>
          <ChevronDown className="i" aria-hidden />
        </AriaButton>
      }
      entries={[
        {
          id: 'compare',
          label: t('editor.compareDraft'),
          icon: GitCompareArrows,
          isDisabled: !isDraft || isFirst,
          onAction: () => void leave({}),
        },
        {
          id: 'versions',
          label: t('editor.allVersions'),
          icon: History,
          onAction: () => void leave({ view: 'list' }),
        },
        null,
        {
          id: 'discard',
          needs: 'agents:write',
          label: t('editor.discard'),
          icon: RotateCcw,
          isDanger: true,
          isDisabled: !isStored || isFirst,
          onAction: () => session.ask({ for: 'discard' }),
        },
      ]}
    />
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

/** How many problems there are, by severity. Shows and hides their list. */
function ProblemsCount({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) {
  const problems = useEditor((state) => state.distinctProblems);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (problems.length === 0) return null;
  return (
    <Button
      kind="ghost"
      className="found"
      aria-label={t('editor.problemsFound', { errors, warnings })}
      aria-expanded={isOpen}
      onPress={onPress}
    >
      {errors > 0 && (
        <span className="row">
          <SeverityIcon is="bad" />
          {errors}
        </span>
      )}
      {warnings > 0 && (
        <span className="row">
          <SeverityIcon is="warn" />
          {warnings}
        </span>
      )}
    </Button>
  );
}

/** The actions of the bar. */
export function Actions({
  view,
  onView,
  isPhone,
  hasProblems,
  onProblems,
}: ViewProps & { isPhone: boolean; hasProblems: boolean; onProblems: () => void }) {
  const session = useSession();
  const past = useEditor((state) => state.history.past.at(-1)?.name);
  const future = useEditor((state) => state.history.future.at(-1)?.name);
  return (
    <>
      {!isPhone && <ProblemsCount isOpen={hasProblems} onPress={onProblems} />}
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
