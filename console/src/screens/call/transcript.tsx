import { ChevronRight, Hand, OctagonAlert, Server, UserRound, Wrench } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { duration, seconds } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { cx } from '../../parts/cx.ts';
import { shown } from './facts.ts';
import { authorName } from './judging.tsx';
import type { Mark, MarkedItem } from './marks.ts';
import { type Fault, type Hop, type LatencySplit, lineAt, type SpokenLine, type ToolUse } from './script.ts';

/** Answers that are slower than this stand out. */
const slowMs = 1500;

/** What was said and done, in order. It follows the play head until the person scrolls. */
export function Transcript({
  items,
  atMs,
  isPlaying,
  isFollowing,
  onFollow,
  onSeek,
  linkTo,
}: {
  items: readonly MarkedItem[];
  atMs: number;
  isPlaying: boolean;
  /** A moment is chosen: its line is marked. */
  isFollowing: boolean;
  onFollow: (follows: boolean) => void;
  onSeek: (item: SpokenLine) => void;
  linkTo: (atMs: number) => string;
}) {
  const now = atMs > 0 || isPlaying ? lineAt(items, atMs) : -1;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (!isFollowing || now < 0) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    list.current
      ?.querySelector('[aria-current=true]')
      ?.scrollIntoView({ block: 'nearest', behavior: calm ? 'instant' : 'smooth' });
  }, [now, isFollowing]);
  return (
    <>
      <ol
        ref={list}
        className="script"
        onWheel={() => isPlaying && onFollow(false)}
        onTouchMove={() => isPlaying && onFollow(false)}
      >
        {items.map((item, index) => (
          <li key={`${index}-${item.at}`}>
            {item.kind === 'line' ? (
              <Line line={item} isNow={index === now} onSeek={onSeek} link={linkTo(item.at)} />
            ) : item.kind === 'hop' ? (
              <HopLine hop={item} />
            ) : item.kind === 'tool' ? (
              <ToolCard tool={item} />
            ) : item.kind === 'mark' ? (
              <MarkLine mark={item} />
            ) : (
              <FaultLine fault={item} />
            )}
          </li>
        ))}
      </ol>
      {isPlaying && !isFollowing && (
        <div className="follow">
          <Button kind="primary" onPress={() => onFollow(true)}>
            {t('call.follow')}
          </Button>
        </div>
      )}
    </>
  );
}

function Line({
  line,
  isNow,
  link,
  onSeek,
}: {
  line: SpokenLine;
  isNow: boolean;
  link: string;
  onSeek: (line: SpokenLine) => void;
}) {
  const { speaker, at, text, latencyMs, split, isCutOff } = line;
  return (
    <div className={cx('ln-row', isNow && 'now')}>
      <button
        type="button"
        className={`ln is-${speaker}`}
        {...(isNow ? { 'aria-current': 'true' as const } : {})}
        onClick={() => onSeek(line)}
      >
        <span className="at">{duration(at / 1000)}</span>
        <span className="who">{t(`call.${speaker}`)}</span>
        <span className="text">
          {text}
          {isCutOff && (
            <span className="cutmark">
              <Hand aria-hidden size={12} strokeWidth={1.5} /> {t('call.interrupted')}
            </span>
          )}
          {latencyMs !== null && latencyMs > slowMs && split !== null && (
            <span className="ms-split">{splitText(split)}</span>
          )}
        </span>
      </button>
      <span className="ln-end">
        {latencyMs !== null && (
          <span
            className={cx('ms', latencyMs > slowMs && 'over')}
            title={splitText(split) ?? t('call.latency')}
          >
            <span className="vh">{t('call.answeredAfter')} </span>
            {seconds(latencyMs)}
            {split !== null && <SplitBar split={split} ofMs={latencyMs} />}
          </span>
        )}
        <CopyButton text={link} name={t('call.copyMoment', { at: duration(at / 1000) })} />
      </span>
    </div>
  );
}

/** Where the time went, as a thin bar. Its words are the title, and stand below a slow answer. */
function SplitBar({ split: { model, voice, rest }, ofMs }: { split: LatencySplit; ofMs: number }) {
  const parts = [
    ['caller', rest],
    ['model', model],
    ['agent', voice],
  ] as const;
  return (
    <span className="split-bar" aria-hidden>
      {parts.map(([is, ms]) =>
        ms === null || ofMs === 0 ? null : (
          <i key={is} className={`is-${is}`} style={{ width: `${(ms / ofMs) * 100}%` }} />
        ),
      )}
    </span>
  );
}

function splitText(split: SpokenLine['split']): string | null {
  if (split === null) return null;
  const { model, voice, rest } = split;
  return [
    model === null ? null : t('call.split.model', { time: seconds(model) }),
    voice === null ? null : t('call.split.voice', { time: seconds(voice) }),
    t('call.split.rest', { time: seconds(rest) }),
  ]
    .filter((each) => each !== null)
    .join(' · ');
}

function HopLine({ hop: { number, node, by } }: { hop: Hop }) {
  return (
    <div className="stepline">
      <i aria-hidden />
      <span>
        <b>
          {number} {node}
        </b>
        {by !== null && by !== '' && <span>{t('call.by', { transition: by })}</span>}
      </span>
    </div>
  );
}

function ToolCard({ tool }: { tool: ToolUse }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={cx('tool-card', tool.hasFailed ? 'is-bad' : 'is-tool')}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="at">{duration(tool.at / 1000)}</span>
        <span className="kind">
          {tool.hasFailed ? (
            <OctagonAlert aria-hidden size={14} strokeWidth={1.5} />
          ) : (
            <Wrench aria-hidden size={14} strokeWidth={1.5} />
          )}
          {t('call.tool')}
        </span>
        <span className="mono cut">{tool.name}</span>
        <span className="end">
          {tool.isDone
            ? `${tool.hasFailed ? `${t('call.toolFailed')} · ` : ''}${tool.ms === null ? '' : seconds(tool.ms)}`
            : t('call.toolWorks')}
        </span>
        <ChevronRight className={cx('i', isOpen && 'rotate-90')} aria-hidden size={14} strokeWidth={1.5} />
      </button>
      {isOpen && (
        <dl>
          <dt>{t('call.arguments')}</dt>
          <dd className="code">{json(tool.arguments)}</dd>
          {tool.isDone && (
            <>
              <dt>{t('call.answer')}</dt>
              <dd className="code">{json(tool.result)}</dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}

function FaultLine({ fault: { at, what, where } }: { fault: Fault }) {
  return (
    <div className="evl is-bad">
      <span className="at">{duration(at / 1000)}</span>
      <span className="kind">
        <OctagonAlert aria-hidden size={14} strokeWidth={1.5} />
        {t(
          where === null
            ? 'call.fault'
            : `call.fault.${['llm', 'tts', 'stt', 'extraction'].includes(where) ? where : 'other'}`,
        )}
      </span>
      <span>{what}</span>
    </div>
  );
}

function MarkLine({ mark }: { mark: Mark }) {
  const { at } = mark;
  return (
    <div className="evl is-machine">
      <span className="at">{duration(at / 1000)}</span>
      <span className="kind">
        {mark.what === 'asked' ? (
          <UserRound aria-hidden size={14} strokeWidth={1.5} />
        ) : (
          <Server aria-hidden size={14} strokeWidth={1.5} />
        )}
        {mark.what === 'asked' ? authorName(mark.by) : t('call.host')}
      </span>
      <span>{t(mark.what === 'asked' ? `call.did.${mark.action}` : 'call.movedHost')}</span>
    </div>
  );
}

const json = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : shown(value);
