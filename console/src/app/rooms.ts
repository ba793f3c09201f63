import {
  AudioLines,
  ChartColumn,
  Code,
  ContactRound,
  Home,
  type LucideIcon,
  Megaphone,
  Phone,
  Radio,
  RadioTower,
  Settings,
  Webhook,
  Workflow,
  Wrench,
} from 'lucide-react';
import { t } from './words.ts';

/** An entry of the rail. */
export interface Entry {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Second key of its shortcut, after `g`. */
  key: string;
}

/** At the end of the rail. */
export const settings: Entry = { to: '/settings', label: t('frame.settings'), icon: Settings, key: 's' };

/** The rooms of the console, as the rail shows them. */
export const rooms: readonly { label: string | null; entries: readonly Entry[] }[] = [
  { label: null, entries: [{ to: '/', label: t('frame.home'), icon: Home, key: 'h' }] },
  {
    label: t('frame.build'),
    entries: [
      { to: '/agents', label: t('frame.agents'), icon: Workflow, key: 'a' },
      { to: '/tools', label: t('frame.tools'), icon: Wrench, key: 't' },
      { to: '/models', label: t('frame.models'), icon: AudioLines, key: 'v' },
    ],
  },
  {
    label: t('frame.run'),
    entries: [
      { to: '/calls', label: t('frame.calls'), icon: Phone, key: 'c' },
      { to: '/live', label: t('frame.live'), icon: Radio, key: 'l' },
      { to: '/campaigns', label: t('frame.campaigns'), icon: Megaphone, key: 'm' },
      { to: '/contacts', label: t('frame.contacts'), icon: ContactRound, key: 'd' },
      { to: '/reports', label: t('frame.reports'), icon: ChartColumn, key: 'r' },
    ],
  },
  {
    label: t('frame.connect'),
    entries: [
      { to: '/telephony', label: t('frame.telephony'), icon: RadioTower, key: 'p' },
      { to: '/webhooks', label: t('frame.webhooks'), icon: Webhook, key: 'w' },
      { to: '/developers', label: t('frame.developers'), icon: Code, key: 'k' },
    ],
  },
];
