import {
  Activity,
  AudioLines,
  Box,
  ClipboardCheck,
  CreditCard,
  Flag,
  Globe,
  Link2,
  type LucideIcon,
  Play,
  Scale,
  Webhook,
  Zap,
} from 'lucide-react';
import { createElement } from 'react';
import type { NodeSpec } from '../../../../src/contract/node-types.ts';
import type { Meaning } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';

/** Pictures by the name that the catalog of node types gives them. */
const icons: Readonly<Record<string, LucideIcon>> = {
  Play,
  Headset: AudioLines,
  OctagonX: Flag,
  Globe,
  Webhook: Zap,
  Link2: Webhook,
  ClipboardCheck: Scale,
  Activity,
  CreditCard,
};

/** The only thing that is known of node types by name: their color. */
const meanings: Readonly<Record<string, Meaning>> = {
  startCall: 'agent',
  agentNode: 'agent',
  endCall: 'machine',
  globalNode: 'machine',
  trigger: 'tool',
  webhook: 'webhook',
  qa: 'model',
};

export const iconOf = (spec: NodeSpec | undefined): LucideIcon =>
  spec === undefined ? Box : (icons[spec.icon] ?? (spec.category === 'integration' ? ClipboardCheck : Link2));

export const meaningOf = (type: string): Meaning => meanings[type] ?? 'machine';

export function Glyph({
  spec,
  type,
  isSmall,
}: {
  spec: NodeSpec | undefined;
  type: string;
  isSmall?: boolean;
}) {
  return (
    <span className={cx('glyph', isSmall === true && 's', `is-${meaningOf(type)}`)}>
      {createElement(iconOf(spec), { className: 'i', 'aria-hidden': true, strokeWidth: 1.5 })}
    </span>
  );
}
