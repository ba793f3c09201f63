import {
  ArrowRightLeft,
  Ban,
  CircleDashed,
  Dot,
  Globe,
  type LucideIcon,
  MessageSquare,
  OctagonAlert,
  Phone,
  PhoneIncoming,
  PhoneMissed,
  RotateCcw,
  ThumbsUp,
} from 'lucide-react';
import { hasWords, t } from '../../app/words.ts';
import { Tag } from '../../parts/badge.tsx';
import { channelOf, type Flag, outcomeMeaning } from '../call/facts.ts';

/** The words of an outcome: the service's own are translated, an agent's own are its words. */
export function outcomeWords(code: string): string {
  const id = `calls.outcome.${code}`;
  if (hasWords(id)) return t(id);
  const words = code.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const shapes = { ok: ThumbsUp, bad: OctagonAlert, machine: CircleDashed, agent: Dot } as const;

export function Outcome({ code }: { code: string }) {
  const is = outcomeMeaning(code);
  return (
    <Tag is={is} icon={shapes[is]}>
      {outcomeWords(code)}
    </Tag>
  );
}

const flagShapes: Record<Flag, { icon: LucideIcon; is: string }> = {
  failed: { icon: OctagonAlert, is: 'is-bad' },
  notConnected: { icon: PhoneMissed, is: 'is-machine' },
  transferred: { icon: ArrowRightLeft, is: 'is-tool' },
  optedOut: { icon: Ban, is: 'is-warn' },
  retry: { icon: RotateCcw, is: 'is-machine' },
};

/** Small signs with a word each, which the pointer shows and a screen reader reads. */
export function Flags({ of }: { of: readonly Flag[] }) {
  return (
    <span className="flagset">
      {of.map((flag) => {
        const { icon: Icon, is } = flagShapes[flag];
        return (
          <span
            key={flag}
            className={is}
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
