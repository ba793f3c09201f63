import { ArrowUp, Grip, Mic, MicOff, Phone as PhoneIcon, PhoneOff, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { duration, timeOfDay } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { isOver, type CallView } from '../../live/call-view.ts';
import { MicrophoneChoice } from '../../live/microphone-choice.tsx';
import type { LiveCall } from '../../live/web-call.ts';
import { repliesOf } from './plan.ts';
import type { Ears } from './start.ts';

/** The drawn telephone around its screen. */
export function Device({ children, isRinging = false }: { children: ReactNode; isRinging?: boolean }) {
  const now = useNow();
  return (
    <div className="relative flex flex-1 flex-col">
      {isRinging &&
        ['l', 'r'].map((side) => (
          <svg key={side} className={`arc ${side}`} viewBox="0 0 40 180" aria-hidden>
            <path d="M4 62a44 44 0 0 1 0 56" opacity=".9" />
            <path d="M14 44a72 72 0 0 1 0 92" opacity=".55" />
            <path d="M24 26a100 100 0 0 1 0 128" opacity=".28" />
          </svg>
        ))}
      <div className="dev">
        <div className="scr">
          <div className="stt" aria-hidden>
            <span>{timeOfDay(new Date(now)).slice(0, 5)}</span>
          </div>
          <div className="isl" aria-hidden />
          {children}
        </div>
      </div>
    </div>
  );
}

/** The incoming call. Answer has the focus, so that Enter answers. */
export function Ringing({
  name,
  icon: Icon,
  onAnswer,
  onDecline,
}: {
  name: string;
  icon: LucideIcon;
  onAnswer: () => void;
  onDecline: () => void;
}) {
  const answer = useRef<HTMLButtonElement>(null);
  useEffect(() => answer.current?.focus(), []);
  return (
    <>
      <div className="halo" aria-hidden>
        <span>
          <Icon className="i" strokeWidth={1} />
        </span>
      </div>
      <div className="in" role="status">
        <small>{t('welcome.incoming')}</small>
        <b>{name}</b>
      </div>
      <div className="ans">
        <button type="button" className="no" onClick={onDecline}>
          <span>
            <PhoneOff className="i" aria-hidden strokeWidth={1.5} />
          </span>
          {t('welcome.decline')}
        </button>
        <button type="button" className="yes" ref={answer} onClick={onAnswer}>
          <span>
            <PhoneIcon className="i" aria-hidden strokeWidth={1.5} />
          </span>
          {t('welcome.answer')}
        </button>
      </div>
    </>
  );
}

const bars = [6, 12, 22, 30, 18, 26, 34, 20, 12, 24, 30, 16, 22, 10, 6];
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

export interface TalkProps {
  call: LiveCall;
  view: CallView;
  name: string;
  agentName: string;
  icon: LucideIcon;
  samples: Readonly<Record<string, readonly string[]>>;
  isText: boolean;
  note: string | null;
  ears: Ears | null;
}

/** The conversation: captions, replies to try, words to type, and the keys of a telephone. */
export function Talk({ call, view, name, agentName, icon: Icon, note, ...rest }: TalkProps) {
  const { isText, ears } = rest;
  const now = useNow();
  const [isKeypad, setKeypad] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const began = view.beganAtMs;
  const mute = () => {
    ears?.setMicrophone(isMuted);
    setMuted(!isMuted);
  };
  return (
    <>
      <div className="who-p">
        <div className="av" aria-hidden>
          <Icon className="i" size={24} strokeWidth={1.5} />
        </div>
        <b>{name}</b>
        <span>
          {t('welcome.agentLine', { name: agentName })}
          {began !== null && ` · ${duration(((view.endedAtMs ?? now) - began) / 1000)}`}
        </span>
      </div>
      <div className={cx('wave', view.isAgentSpeaking && 'on')} aria-hidden>
        {bars.map((height, index) => (
          <i key={index} style={{ height: view.isAgentSpeaking ? height : 4 }} />
        ))}
      </div>
      <Captions view={view} note={note} />
      {isKeypad ? (
        <div className="keys">
          {keys.map((digit) => (
            <button key={digit} type="button" onClick={() => call.press(digit)}>
              {digit}
            </button>
          ))}
        </div>
      ) : (
        <Replies call={call} view={view} samples={rest.samples} />
      )}
      {ears !== null && <Hearing ears={ears} />}
      <div className="ctl">
        {ears !== null && (
          <button
            type="button"
            aria-pressed={isMuted}
            aria-label={t(isMuted ? 'microphone.unmute' : 'microphone.mute')}
            onClick={mute}
          >
            {isMuted ? (
              <MicOff aria-hidden size={20} strokeWidth={1.5} />
            ) : (
              <Mic aria-hidden size={20} strokeWidth={1.5} />
            )}
          </button>
        )}
        {!isText && (
          <button
            type="button"
            aria-expanded={isKeypad}
            aria-label={t('welcome.keypad')}
            onClick={() => setKeypad(!isKeypad)}
          >
            <Grip aria-hidden size={20} strokeWidth={1.5} />
          </button>
        )}
        <button type="button" className="end" aria-label={t('welcome.hangUp')} onClick={call.hangUp}>
          <PhoneOff aria-hidden size={20} strokeWidth={1.5} />
        </button>
      </div>
    </>
  );
}

/** The microphone that hears the person. */
function Hearing({ ears: { microphone, level } }: { ears: Ears }) {
  const view = useSyncExternalStore(microphone.subscribe, microphone.get);
  return (
    <div className="hearing">
      <MicrophoneChoice view={view} level={level} onChoose={(id) => void microphone.choose(id)} />
    </div>
  );
}

/** What was said, newest below. */
export function Captions({ view, note }: { view: CallView; note: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  const { said } = view;
  useEffect(() => {
    const element = box.current;
    if (element === null || said.length === 0) return undefined;
    const follow = () => element.scrollTo({ top: element.scrollHeight });
    follow();
    const watcher = new ResizeObserver(follow);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [said]);
  return (
    // A region that scrolls is reached by keyboard.
    <div className="cap" role="log" aria-label={t('welcome.captions')} tabIndex={0} ref={box}>
      {note !== null && <p className="note">{note}</p>}
      {said.map(({ who, text, isFinal, isCut }, index) => (
        <p key={index} className={cx('bub', who === 'agent' ? 'a' : 'c', !isFinal && 'open')}>
          {text}
          {isCut && <span className="dimw"> … {t('welcome.cut')}</span>}
        </p>
      ))}
    </div>
  );
}

function Replies({ call, view, samples }: Pick<TalkProps, 'call' | 'view' | 'samples'>) {
  const [words, setWords] = useState('');
  const [said, setSaid] = useState<{ visit: number; words: string[] }>({ visit: 0, words: [] });
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isByChip = useRef(false);
  const visit = view.path.length;
  const nodeId = view.path.at(-1)?.nodeId;
  const replies = repliesOf(samples, nodeId, said.visit === visit ? said.words : []);
  // Until the host repeats the words, the replies are still those from before.
  const [sentAfter, setSentAfter] = useState<number | null>(null);
  const isWaiting = view.isAnswering || sentAfter === view.said.length;
  const first = replies[0];
  // A chip that was pressed is gone: the focus waits in the field and goes on to the next replies.
  useEffect(() => {
    if (!isByChip.current || isWaiting || first === undefined) return;
    isByChip.current = false;
    if (document.activeElement === field.current) list.current?.querySelector('button')?.focus();
  }, [isWaiting, first]);
  const say = (text: string) => {
    if (isOver(view) || text.trim() === '') return;
    setSaid({ visit, words: [...(said.visit === visit ? said.words : []), text] });
    setSentAfter(view.said.length);
    call.say(text);
  };
  return (
    <div className="reps">
      <div className="chips" role="group" aria-label={t('welcome.replies')} ref={list}>
        {replies.map((text) => (
          <button
            key={text}
            type="button"
            aria-disabled={isWaiting}
            onClick={() => {
              if (isWaiting) return;
              isByChip.current = true;
              field.current?.focus({ preventScroll: true });
              say(text);
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <form
        className="say"
        onSubmit={(event) => {
          event.preventDefault();
          say(words);
          setWords('');
        }}
      >
        <input
          ref={field}
          value={words}
          maxLength={2000}
          autoComplete="off"
          aria-label={t('welcome.saySomething')}
          placeholder={t('welcome.saySomething')}
          onChange={({ target }) => setWords(target.value)}
        />
        <button type="submit" aria-label={t('welcome.send')}>
          <ArrowUp aria-hidden size={16} strokeWidth={1.5} />
        </button>
      </form>
    </div>
  );
}
