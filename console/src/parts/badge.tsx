import {
  AlertTriangle,
  CheckCircle2,
  CircleDashed,
  Info,
  type LucideIcon,
  OctagonAlert,
  Pencil,
  Sparkles,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../app/words.ts';
import { cx } from './cx.ts';

/** Who or what is meant, or how it is. Each has one color. */
export type Meaning =
  | 'agent'
  | 'caller'
  | 'model'
  | 'tool'
  | 'value'
  | 'webhook'
  | 'machine'
  | 'ok'
  | 'warn'
  | 'bad';

/** A word on the soft ground of its meaning. */
export function Tag({ is, icon: Icon, children }: { is: Meaning; icon?: LucideIcon; children: ReactNode }) {
  return (
    <span className={cx('tag', `is-${is}`)}>
      {Icon !== undefined && <Icon className="i" aria-hidden size={12} />}
      {children}
    </span>
  );
}

const states = { published: 'pub', draft: 'draft', none: '', bad: 'bad' } as const;
const shapes = { published: CheckCircle2, draft: Pencil, none: CircleDashed, bad: OctagonAlert } as const;

/** The state of a thing: shape, word and color. */
export function State({ is, children }: { is: keyof typeof states; children: ReactNode }) {
  const Icon = shapes[is];
  return (
    <span className={cx('badge', states[is])}>
      <Icon className="i" aria-hidden size={12} />
      {children}
    </span>
  );
}

/** Stands wherever a model, a voice, a recognizer or a carrier is a stand-in. */
export function Simulated() {
  return (
    <span className="badge sim">
      <Sparkles className="i" aria-hidden size={12} />
      {t('common.simulated')}
    </span>
  );
}

const severities = { bad: OctagonAlert, warn: AlertTriangle, ok: CheckCircle2, info: Info } as const;

/** The shape of a severity, colored. Its word stands beside it. */
export function SeverityIcon({ is }: { is: keyof typeof severities }) {
  const Icon = severities[is];
  const color = { bad: 'text-bad', warn: 'text-warn', ok: 'text-ok', info: 'text-tool' }[is];
  return <Icon className={cx('shrink-0', color)} aria-hidden size={16} strokeWidth={1.5} />;
}

export function Count({ of }: { of: number | string }) {
  return <span className="count">{of}</span>;
}
