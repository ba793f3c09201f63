import { ArrowRight, AudioLines, Check, Hand, OctagonAlert, UserRound, Wrench } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { duration, seconds } from '../../../app/format.ts';
import { t } from '../../../app/words.ts';
import { type Branch, branchesOf } from '../../../live/text-session.ts';
import { Tag } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import {
  eventsOfSession,
  type Fault,
  type Hop,
  type LatencySplit,
  readScript,
  type ToolUse,
} from '../../call/script.ts';
import { shown } from '../../call/facts.ts';
import { type AgentRow, type CallerRow, type Row, rowsOf } from './rows.ts';
import type { Test } from './tester.ts';

/** What was said and done in a test, newest below. */
export function Transcript({
  test,
  rows,
  onInstead,
}: {
  test: Test;
  rows: readonly Row[];
  /** The person says something else in place of the words of a turn. */
  onInstead: (turn: number, text: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const shownLast = [rows.length, test.asked?.text, test.isAnswering, test.hearing].join(' ');
  useEffect(() => {
    const element = box.current;
    if (element === null || shownLast === '') return undefined;
    const follow = () => element.scrollTo({ top: element.scrollHeight });
    follow();
    const watcher = new ResizeObserver(follow);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [shownLast]);
  const branches = branchesOf(test.discarded);
  const before = (turn: number) =>
    branches
      .filter(({ at }) => at === turn)
      .map((branch, index) => <Discarded key={index} branch={branch} />);
  const turns = rows.flatMap((row) => (row.kind === 'caller' ? [row.turn] : []));
  const isThinking =
    test.isAnswering && !test.isSpeaking && test.phase === 'going' && test.asked?.fault == null;
  return (
    <div className="talk" ref={box} role="log" aria-label={t('rail.conversation')} tabIndex={0}>
      {rows.map((row, index) => (
        <div key={index}>
          {row.kind === 'caller' && before(row.turn)}
          <RowView row={row} onInstead={onInstead} />
        </div>
      ))}
      {branches
        .filter(({ at }) => !turns.includes(at))
        .map((branch, index) => (
          <Discarded key={index} branch={branch} />
        ))}
      {test.asked !== null && test.asked.fault === null && (
        <Words who="caller" text={test.asked.text} isOpen />
      )}
      {test.hearing !== '' && <Words who="caller" text={test.hearing} isOpen />}
      {isThinking && <p className="thinking">{t('rail.thinking')}</p>}
    </div>
  );
}

function RowView({ row, onInstead }: { row: Row; onInstead?: (turn: number, text: string) => void }) {
  switch (row.kind) {
    case 'agent':
      return <AgentLine row={row} />;
    case 'caller':
      return <CallerLine row={row} {...(onInstead === undefined ? {} : { onInstead })} />;
    case 'hop':
      return <HopLine hop={row} />;
    case 'tool':
      return <ToolCard tool={row} />;
    case 'fault':
      return <FaultLine fault={row} />;
  }
}

function Words({
  who,
  text,
  head,
  isOpen = false,
  children,
}: {
  who: 'agent' | 'caller';
  text: string;
  head?: ReactNode;
  /** The words may still change. */
  isOpen?: boolean;
  children?: ReactNode;
}) {
  const Icon = who === 'agent' ? AudioLines : UserRound;
  return (
    <div className={`ln is-${who}`}>
      <span className="glyph s">
        <Icon className="i" aria-hidden strokeWidth={1.5} />
      </span>
      <div className="who">
        <b>{t(`rail.${who}`)}</b>
        {head}
      </div>
      <p className={isOpen ? 'said open' : 'said'}>{text}</p>
      {children}
    </div>
  );
}

function AgentLine({ row: { text, node, waitMs, split, tokens, isCut } }: { row: AgentRow }) {
  return (
    <Words
      who="agent"
      text={text}
      head={
        <>
          {node !== null && <span className="cut">{node}</span>}
          <span className="grow" />
          {tokens !== null && (
            <span className="num whitespace-nowrap">{t('rail.tokens', { count: tokens })}</span>
          )}
        </>
      }
    >
      {(isCut || waitMs !== null) && (
        <div className="lat">
          {isCut && (
            <span className="cutmark">
              <Hand className="i" aria-hidden size={12} strokeWidth={1.5} />
              {t('rail.cut')}
            </span>
          )}
          {waitMs !== null && <Wait totalMs={waitMs} split={split} />}
        </div>
      )}
    </Words>
  );
}

/** How long the person waited, with a bar of where the time went. */
function Wait({ totalMs, split }: { totalMs: number; split: LatencySplit | null }) {
  const parts =
    split === null
      ? []
      : (
          [
            ['caller', 'rest', split.rest],
            ['model', 'model', split.model],
            ['agent', 'voice', split.voice],
          ] as const
        ).flatMap(([is, name, ms]) => (ms === null ? [] : [{ is, name, ms }]));
  return (
    <>
      {parts.length > 0 && (
        <span className="lb" aria-hidden>
          {parts.map(({ is, ms }) => (
            <i key={is} className={`is-${is}`} style={{ flex: Math.max(ms, 1) }} />
          ))}
        </span>
      )}
      <span className="vh">{t('rail.answeredAfter')} </span>
      <b className="num">{seconds(totalMs)}</b>
      {parts.length > 0 && (
        <span className="num">
          {parts.map(({ name, ms }) => t(`rail.split.${name}`, { time: seconds(ms) })).join(' · ')}
        </span>
      )}
    </>
  );
}

function CallerLine({
  row,
  onInstead,
}: {
  row: CallerRow;
  onInstead?: (turn: number, text: string) => void;
}) {
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (isEditing && onInstead !== undefined)
    return (
      <Instead
        words={row.text}
        onSay={(text) => {
          setEditing(false);
          onInstead(row.turn, text);
        }}
        onCancel={() => {
          setEditing(false);
          setTimeout(() => button.current?.focus());
        }}
      />
    );
  return (
    <Words
      who="caller"
      text={row.text}
      head={
        onInstead !== undefined && (
          <>
            <span className="grow" />
            <button
              type="button"
              ref={button}
              className="link"
              aria-label={t('rail.insteadOf', { words: row.text })}
              onClick={() => setEditing(true)}
            >
              {t('rail.instead')}
            </button>
          </>
        )
      }
    />
  );
}

function Instead({
  words,
  onSay,
  onCancel,
}: {
  words: string;
  onSay: (text: string) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState(words);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      className="instead"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSay(text);
      }}
    >
      <input
        ref={field}
        className="input"
        aria-label={t('rail.instead')}
        value={text}
        maxLength={2000}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onCancel();
        }}
      />
      <div className="row">
        <span className="small t-2 grow">{t('rail.insteadWhy')}</span>
        <Button size="xs" onPress={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button size="xs" kind="primary" type="submit" sends>
          {t('rail.say')}
        </Button>
      </div>
    </form>
  );
}

function HopLine({ hop: { number, node, by, at } }: { hop: Hop }) {
  return (
    <div className="hop">
      <ArrowRight className="i" aria-hidden size={14} strokeWidth={1.5} />
      <span className="cut">
        {number} {node}
        {by !== null && by !== '' && <span className="by"> {t('rail.by', { transition: by })}</span>}
      </span>
      <span className="num">{duration(at / 1000)}</span>
    </div>
  );
}

/** Longer texts are on the page of the call. */
const shownCharacters = 600;

function ToolCard({ tool: { name, arguments: given, result, isDone, ms, hasFailed } }: { tool: ToolUse }) {
  const short = (value: unknown): string => {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : shown(value);
    return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  };
  return (
    <div className="tc is-tool">
      <header>
        <span className="glyph s">
          <Wrench className="i" aria-hidden strokeWidth={1.5} />
        </span>
        <b className="cut grow">{name}</b>
        {ms !== null && <span className="small t-2 num">{seconds(ms)}</span>}
        {isDone ? (
          <Tag is={hasFailed ? 'bad' : 'ok'} icon={hasFailed ? OctagonAlert : Check}>
            {t(hasFailed ? 'rail.toolFailed' : 'rail.toolDone')}
          </Tag>
        ) : (
          <span className="small t-2">{t('rail.toolWorks')}</span>
        )}
      </header>
      <dl>
        <dt>{t('rail.arguments')}</dt>
        <dd className="mono">{short(given)}</dd>
        {isDone && (
          <>
            <dt>{t('rail.answer')}</dt>
            <dd className="mono">{short(result)}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

function FaultLine({ fault: { what, where } }: { fault: Fault }) {
  const known = ['llm', 'tts', 'stt', 'extraction'].find((each) => each === where) ?? 'other';
  return (
    <p className="hop is-bad">
      <OctagonAlert className="i" aria-hidden size={14} strokeWidth={1.5} />
      <span className="grow">
        <b>{t(`rail.fault.${known}`)}</b> {what}
      </span>
    </p>
  );
}

/** What was said before a rewind, folded. */
function Discarded({ branch: { turns } }: { branch: Branch }) {
  return (
    <details className="discarded">
      <summary>{t('rail.discarded', { count: turns.length })}</summary>
      {rowsOf(readScript(eventsOfSession(turns))).map((row, index) => (
        <RowView key={index} row={row} />
      ))}
    </details>
  );
}
