import {
  ArrowRightLeft,
  Ban,
  CircleDashed,
  Dot,
  Globe,
  Hand,
  type LucideIcon,
  MessageSquare,
  OctagonAlert,
  Phone,
  PhoneIncoming,
  PhoneMissed,
  RotateCcw,
  ThumbsUp,
} from 'lucide-react';
import { outcomeWords } from '../../app/outcome-words.ts';
import { t } from '../../app/words.ts';
import { type Meaning, Tag } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';
import { channelOf, type Flag, outcomeMeaning } from '../call/facts.ts';

const shapes = { ok: ThumbsUp, bad: OctagonAlert, machine: CircleDashed, agent: Dot } as const;

export function Outcome({ code }: { code: string }) {
  const is = outcomeMeaning(code);
  return (
    <Tag is={is} icon={shapes[is]}>
      {outcomeWords(code)}
    </Tag>
  );
}

const flagShapes: Record<Flag, { icon: LucideIcon; is: Meaning }> = {
  failed: { icon: OctagonAlert, is: 'bad' },
  notConnected: { icon: PhoneMissed, is: 'machine' },
  interrupted: { icon: Hand, is: 'warn' },
  transferred: { icon: ArrowRightLeft, is: 'tool' },
  optedOut: { icon: Ban, is: 'warn' },
  retry: { icon: RotateCcw, is: 'machine' },
};

/** Small signs with a word each, which the pointer shows and a screen reader reads, or which stands beside it. */
export function Flags({ of, areInWords = false }: { of: readonly Flag[]; areInWords?: boolean }) {
  return (
    <span className={cx('flagset', areInWords && 'in-words')}>
      {of.map((flag) => {
        const { icon: Icon, is } = flagShapes[flag];
        if (areInWords)
          return (
            <Tag key={flag} is={is} icon={Icon}>
              {t(`calls.flag.${flag}`)}
            </Tag>
          );
        return (
          <span
            key={flag}
            className={`is-${is}`}
            role="img"
            aria-label={t(`calls.flag.${flag}`)}
            title={t(`calls.flag.${flag}`)}
          >
            <Icon className="i" aria-hidden size={12} />
          </span>
        );
      })}
    </span>
  );
}

/** How a call was made. */
export function ChannelIcon({ mode, isInbound }: { mode: string; isInbound: boolean }) {
  const channel = channelOf(mode);
  const Icon = { phone: isInbound ? PhoneIncoming : Phone, web: Globe, text: MessageSquare }[channel];
  const words = t(channel === 'phone' && isInbound ? 'calls.channel.phoneIn' : `calls.channel.${channel}`);
  return (
    <span role="img" aria-label={words} title={words} className="inline-flex">
      <Icon className="i" aria-hidden size={14} strokeWidth={1.5} />
    </span>
  );
}
