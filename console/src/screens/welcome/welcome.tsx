import '../../styles/welcome.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import {
  CalendarCheck,
  Check,
  ChevronDown,
  ChevronUp,
  Headset,
  Info,
  type LucideIcon,
  MessageSquare,
  Package,
  Receipt,
  Star,
  Sun,
} from 'lucide-react';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { nowDate } from '../../app/clock.ts';
import { duration } from '../../app/format.ts';
import { endOnboarding } from '../../app/onboarding.ts';
import { get } from '../../app/query.ts';
import { soundChoice } from '../../app/sound-choice.ts';
import { Unreachable } from '../../app/shell.tsx';
import { outcomeWords } from '../../app/outcome-words.ts';
import { t } from '../../app/words.ts';
import { Simulated } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Mark } from '../../parts/mark.tsx';
import { cx } from '../../parts/cx.ts';
import { Failure, Loaded } from '../../parts/states.tsx';
import { emptyView, isOver, type CallView } from '../../live/call-view.ts';
import { refusalText } from '../../live/refusal.ts';
import { foundIn, Happens, type HappensProps, Soon } from './happens.tsx';
import { Captions, Device, Ringing, Talk } from './phone.tsx';
import { planOf, stopsOf } from './plan.ts';
import { answer, type Started, type Template } from './start.ts';
import { type Sound, SoundButton, useRingTone, useVoice } from './sound.tsx';

const CallMe = lazy(async () => ({ default: (await import('../telephony/call-me.tsx')).CallMe }));

/** A picture for each shipped template, by its id. */
const pictures: Record<number, LucideIcon> = {
  1: CalendarCheck,
  2: Sun,
  3: Receipt,
  4: Star,
  5: Headset,
  6: Package,
};
const pictureOf = ({ id }: Template): LucideIcon => pictures[id] ?? MessageSquare;

/** The first run: an agent of the installation calls, and the person sees what that does. */
export function WelcomePage() {
  const templates = useQuery(get('/workflow/templates', {}));
  useEffect(() => {
    document.title = `${t('welcome.title')} · Parlance`;
  }, []);
  if (templates.data !== undefined) return <FirstRun templates={templates.data} />;
  return (
    <main className="page">
      <h1 className="vh">{t('welcome.title')}</h1>
      <Unreachable />
      <Loaded query={templates}>{() => null}</Loaded>
      {templates.isError && (
        <p className="text-center">
          <ToConsole isEnded={false} />
        </p>
      )}
    </main>
  );
}

function ToConsole({ isEnded }: { isEnded: boolean }) {
  const navigate = useNavigate();
  return (
    <Button
      kind="ghost"
      onPress={() => {
        if (!isEnded) endOnboarding({ skipped: true });
        void navigate({ to: '/' });
      }}
    >
      {t(isEnded ? 'welcome.toConsole' : 'welcome.skip')}
    </Button>
  );
}

type Stage = 'ringing' | 'connecting' | 'declined' | 'talking' | 'failed';

function FirstRun({ templates }: { templates: readonly Template[] }) {
  const { template: chosen } = useSearch({ from: '/welcome' });
  const navigate = useNavigate();
  const [round, setRound] = useState(0);
  const [isRingOn, setRing] = useState(soundChoice.get() === 'on');
  const template = templates.find(({ id }) => id === chosen) ?? null;
  return (
    <Round
      // Another template, or the same again, is another call.
      key={`${template?.id ?? ''} ${round}`}
      templates={templates}
      template={template}
      pick={(id) => void navigate({ to: '/welcome', search: id === undefined ? {} : { template: id } })}
      onAgain={() => setRound(round + 1)}
      isRingOn={isRingOn}
      setRing={setRing}
    />
  );
}

interface RoundProps {
  templates: readonly Template[];
  template: Template | null;
  pick: (id: number | undefined) => void;
  onAgain: () => void;
  isRingOn: boolean;
  setRing: (is: boolean) => void;
}

/** One call: it rings, is answered, and ends. */
function Round({ templates, template, pick, onAgain, isRingOn, setRing }: RoundProps) {
  const [stage, setStage] = useState<Stage>('ringing');
  const [started, setStarted] = useState<Started | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { data: health } = useQuery(get('/health', {}));
  const simulated = health?.simulated;
  const voice = useVoice({ started, isSimulatedVoice: simulated?.tts !== false });
  const sound: Sound = { ...voice, isRingOn, setRing };
  const view = useCall(started);
  const isEnded = view !== null && isOver(view);
  const isRinging = template !== null && stage === 'ringing';
  useRingTone(isRinging && isRingOn);
  useEffect(() => () => started?.close(), [started]);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const onAnswer = async (of: Template) => {
    setStage('connecting');
    try {
      const next = await answer(of);
      if (!isShown.current) return next.close();
      setStarted(next);
      setStage('talking');
    } catch (failure) {
      setError(failure);
      setStage('failed');
    }
  };

  const run = useEndedRun(started, isEnded && view.phase !== 'refused');
  useEffect(() => {
    if (view?.phase === 'ended') endOnboarding({ completed_at: nowDate().toISOString() });
  }, [view?.phase]);
  const step = template === null ? 1 : isEnded ? 3 : 2;
  return (
    <div className={cx('fr', isRinging && 'ring')}>
      <header className="fr-bar">
        <span className="brand">
          <Mark />
          Parlance
        </span>
        {simulated !== undefined && Object.values(simulated).includes(true) && <Simulated />}
        <Steps at={step} />
        <span className="grow" />
        {template !== null && (
          <SoundButton sound={sound} isRinging={isRinging} isVoiceSimulated={simulated?.tts !== false} />
        )}
        <ToConsole isEnded={isEnded} />
      </header>
      <main className={cx('three', template === null && 'picking')}>
        <h1 className="vh">{t('welcome.title')}</h1>
        <Templates
          templates={templates}
          chosen={template?.id ?? null}
          onPick={pick}
          isBusy={stage === 'talking' && !isEnded}
        />
        <section className="phone" aria-label={t('welcome.phone')}>
          <PhoneTitle
            isPicked={template !== null}
            stage={stage}
            view={view}
            isText={started?.lack === 'no_host'}
          />
          <Device isRinging={isRinging}>
            {template === null ? (
              <div className="idle">
                <p>{t('welcome.idle')}</p>
              </div>
            ) : stage === 'ringing' ? (
              <Ringing
                name={template.caller_name}
                icon={pictureOf(template)}
                onAnswer={() => void onAnswer(template)}
                onDecline={() => setStage('declined')}
              />
            ) : stage === 'declined' ? (
              <Stopped
                title={t('welcome.declined')}
                why={t('welcome.declinedWhy')}
                onAgain={onAgain}
                onAnother={() => pick(undefined)}
              />
            ) : stage === 'failed' ? (
              <div className="failed">
                <Failure error={error} onRetry={onAgain} />
              </div>
            ) : started === null || view === null ? (
              <div className="idle" role="status">
                <p>{t('welcome.connectingTitle')}…</p>
              </div>
            ) : isEnded ? (
              <Ended
                view={view}
                started={started}
                run={run}
                onAgain={onAgain}
                onAnother={() => pick(undefined)}
              />
            ) : (
              <Talk
                call={started.call}
                view={view}
                name={template.caller_name}
                agentName={agentNameOf(started.values)}
                icon={pictureOf(template)}
                samples={template.sample_replies}
                isText={started.lack === 'no_host'}
                note={noteOf(started)}
                ears={started.ears}
              />
            )}
          </Device>
        </section>
        <Seen
          template={template}
          values={started?.values ?? null}
          view={view}
          isEnded={isEnded}
          run={run}
          isSimulated={simulated?.llm === true}
          hasEars={simulated?.stt === false}
        />
      </main>
    </div>
  );
}

/** The shipped agents are called Ava unless a test value says otherwise. */
const agentNameOf = (values: Record<string, unknown>): string =>
  typeof values['agent_name'] === 'string' ? values['agent_name'] : 'Ava';

const noteOf = ({ lack }: Started): string | null =>
  lack === null ? null : t(lack === 'no_host' ? 'welcome.noHost' : 'welcome.noMicrophone');

/** The view of the running call. */
function useCall(started: Started | null): CallView | null {
  const subscribe = useCallback(
    (listener: () => void) => started?.call.subscribe(listener) ?? (() => undefined),
    [started],
  );
  return useSyncExternalStore(subscribe, () => started?.call.get() ?? null);
}

/** The call as soon as its record is complete. */
function useEndedRun(started: Started | null, isEnded: boolean) {
  const { data } = useQuery({
    ...get('/workflow/{workflow_id}/runs/{run_id}', {
      params: { workflow_id: started?.agentId ?? 0, run_id: started?.runId ?? 0 },
    }),
    enabled: started !== null && isEnded,
    refetchInterval: ({ state }) => (state.data?.is_completed === true ? false : 1000),
    staleTime: 0,
  });
  return started !== null && data?.id === started.runId && data.is_completed ? data : null;
}

function Steps({ at }: { at: number }) {
  const names = [t('welcome.pick'), t('welcome.answerStep'), t('welcome.see')];
  return (
    <ol className="steps" aria-label={t('welcome.steps')}>
      {names.map((name, index) => {
        const n = index + 1;
        return (
          <li
            key={name}
            className={cx(n < at && 'done', n === at && 'on')}
            {...(n === at ? { 'aria-current': 'step' as const } : {})}
          >
            <span className="st">{n < at ? <Check className="i" aria-hidden /> : n}</span>
            {name}
          </li>
        );
      })}
    </ol>
  );
}

function Templates({
  templates,
  chosen,
  onPick,
  isBusy,
}: {
  templates: readonly Template[];
  chosen: number | null;
  onPick: (id: number) => void;
  isBusy: boolean;
}) {
  return (
    <section className="pick" aria-labelledby="who">
      <div className="col-h">
        <h2 id="who">{t('welcome.who')}</h2>
      </div>
      <ul className="tpl">
        {templates.map((template) => {
          const Icon = pictureOf(template);
          const isOn = template.id === chosen;
          return (
            <li key={template.id}>
              <button
                type="button"
                className={cx(isOn && 'on')}
                {...(isOn ? { 'aria-current': 'true' as const } : {})}
                aria-disabled={isBusy}
                onClick={() => !isBusy && onPick(template.id)}
              >
                <span className="glyph">
                  <Icon className="i" aria-hidden strokeWidth={1.5} />
                </span>
                <b>{template.template_name}</b>
                <span className="small t-2">{template.tagline}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <p className="beneath">
        <Info className="i" aria-hidden size={14} strokeWidth={1.5} />
        <span>{t('welcome.templatesNote')}</span>
      </p>
    </section>
  );
}

function PhoneTitle({
  isPicked,
  stage,
  view,
  isText,
}: {
  isPicked: boolean;
  stage: Stage;
  view: CallView | null;
  isText: boolean;
}) {
  const isTalking = view !== null && view.phase === 'talking';
  const words = !isPicked
    ? t('welcome.idleTitle')
    : stage === 'ringing'
      ? t('welcome.ringTitle')
      : stage === 'declined'
        ? t('welcome.declined')
        : isTalking
          ? t(isText ? 'welcome.inText' : 'welcome.onPhone')
          : view !== null && isOver(view)
            ? t('welcome.ended')
            : t('welcome.connectingTitle');
  return (
    <div className="col-h justify-center">
      {isTalking && <span className="dot pulse" aria-hidden />}
      <h2 role="status">{words}</h2>
    </div>
  );
}

function Stopped({
  title,
  why,
  onAgain,
  onAnother,
}: {
  title: string;
  why: string;
  onAgain: () => void;
  onAnother: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="over">
      <h3 tabIndex={-1} ref={heading}>
        {title}
      </h3>
      <p>{why}</p>
      <Again onAgain={onAgain} onAnother={onAnother} />
    </div>
  );
}

function Again({ onAgain, onAnother }: { onAgain: () => void; onAnother: () => void }) {
  return (
    <div className="again">
      <button type="button" onClick={onAgain}>
        {t('welcome.ringAgain')}
      </button>
      <button type="button" onClick={onAnother}>
        {t('welcome.another')}
      </button>
    </div>
  );
}

/** How it ended, and the ways on. */
function Ended({
  view,
  started,
  run,
  onAgain,
  onAnother,
}: {
  view: CallView;
  started: Started;
  run: ReturnType<typeof useEndedRun>;
  onAgain: () => void;
  onAnother: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  if (view.phase !== 'ended')
    return (
      <Stopped
        title={t(view.phase === 'lost' ? 'welcome.lost' : 'welcome.refused')}
        why={view.phase === 'lost' ? t('welcome.lostWhy') : refusalText(view)}
        onAgain={onAgain}
        onAnother={onAnother}
      />
    );
  const time = duration(((view.endedAtMs ?? 0) - (view.beganAtMs ?? 0)) / 1000);
  const [agentId, runId] = [String(started.agentId), String(started.runId)];
  const opening = view.path[0]?.nodeId;
  return (
    <div className="over">
      <h3 tabIndex={-1} ref={heading}>
        {t('welcome.endedAfter', { time })}
      </h3>
      <div className="outcome" role="status">
        <small>{t('welcome.outcome')}</small>
        {run === null ? (
          <span>{t('welcome.outcomeReading')}</span>
        ) : (
          <b>{outcomeWords(run.disposition ?? '–')}</b>
        )}
      </div>
      <Captions view={view} note={null} />
      <nav className="ways" aria-label={t('welcome.see')}>
        <Link to="/calls/$agentId/$runId" params={{ agentId, runId }} className="is-first">
          {t('welcome.seeCall')}
        </Link>
        <Link
          to="/agents/$agentId"
          params={{ agentId }}
          search={opening === undefined ? {} : { node: opening }}
        >
          {t('welcome.changeWords')}
        </Link>
        <PhoneLink started={started} />
        <TemporalLink workflowId={run?.temporal_workflow_id ?? null} />
      </nav>
      <Again onAgain={onAgain} onAnother={onAnother} />
    </div>
  );
}

/** Calls a phone with the same agent and values; without a connection that can, where one is made. */
function PhoneLink({ started: { agentId, values } }: { started: Started }) {
  const [isCalling, setCalling] = useState(false);
  const { data } = useQuery(get('/organizations/telephony-configs', {}));
  const { data: health } = useQuery(get('/health', {}));
  if (data?.configurations.some(({ is_ready_for_outbound: is }) => is) !== true)
    return <Link to="/telephony">{t('welcome.callPhone')}</Link>;
  return (
    <>
      <button type="button" onClick={() => setCalling(true)}>
        {t('welcome.callPhone')}
      </button>
      {isCalling && (
        <Suspense>
          <CallMe
            about={{
              title: t('welcome.callPhone'),
              agentId,
              values,
              connectionId: null,
              notes: health?.simulated.carrier === true ? [t('welcome.phoneSimulated')] : [],
            }}
            onClose={() => setCalling(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function TemporalLink({ workflowId }: { workflowId: string | null }) {
  const { data: health } = useQuery(get('/health', {}));
  const ui = health?.links.temporal_ui ?? null;
  if (ui === null || workflowId === null) return null;
  return (
    <a href={`${ui}/${encodeURIComponent(workflowId)}`} target="_blank" rel="noreferrer">
      {t('welcome.temporal')}
    </a>
  );
}

function Seen({
  template,
  values,
  view,
  isEnded,
  run,
  isSimulated,
  hasEars,
}: {
  template: Template | null;
  values: Record<string, unknown> | null;
  view: CallView | null;
  isEnded: boolean;
  run: ReturnType<typeof useEndedRun>;
  isSimulated: boolean;
  hasEars: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const graph = template?.template_json;
  const plan = useMemo(() => (graph === undefined ? null : planOf(graph)), [graph]);
  if (plan === null || template === null)
    return (
      <section className="seen" aria-label={t('welcome.willHappen')}>
        <div className="seen-in">
          <div className="col-h">
            <h2>{t('welcome.willHappen')}</h2>
          </div>
          <Soon />
        </div>
      </section>
    );
  const props: HappensProps = {
    plan,
    view,
    isEnded,
    run,
    values: values ?? {},
    agentName: template.template_name,
  };
  const title = t(isEnded ? 'welcome.happened' : view === null ? 'welcome.willHappen' : 'welcome.happens');
  const shown = view ?? emptyView;
  const stops = stopsOf(plan, shown.path, isEnded);
  const reached = stops.filter(({ is }) => is !== 'later').length;
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <section className={cx('seen', isOpen && 'open')} aria-label={title}>
      <button type="button" className="sheet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="row">
          <b className="ink semi cut">{shown.path.at(-1)?.name ?? title}</b>
          <span className="small t-2 nowrap">{t('welcome.nodeOf', { n: reached, total: stops.length })}</span>
          <span className="grow" />
          <span className="small text-value-text nowrap">
            {t('welcome.valuesFound', { n: foundIn(plan, run) })}
          </span>
          <Chevron aria-hidden size={14} strokeWidth={1.5} />
          <span className="vh">{t(isOpen ? 'welcome.hideDetails' : 'welcome.showDetails')}</span>
        </span>
        <span className="pp" aria-hidden>
          {stops.map(({ id, is }) => (
            <i key={id} className={cx(is !== 'later' && 'd')} />
          ))}
        </span>
      </button>
      <div className="seen-in">
        <div className="col-h">
          <h2>{title}</h2>
          <span className="grow" />
          {view !== null && !isEnded && <span className="small t-2">{t('welcome.asYouTalk')}</span>}
        </div>
        <Happens {...props} />
        <p className="beneath">
          <Info className="i" aria-hidden size={14} strokeWidth={1.5} />
          <span>
            {view === null
              ? t(hasEars ? 'welcome.answerHintReal' : 'welcome.answerHint')
              : isSimulated
                ? t('welcome.simulatedNote')
                : t('welcome.templatesNote')}
          </span>
        </p>
      </div>
    </section>
  );
}
