import { CheckCircle2, Hourglass, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { connectionState } from '../app/api.ts';
import { t } from '../app/words.ts';
import { Button, IconButton } from './button.tsx';

interface Toast {
  id: number;
  text: string;
  undo?: (() => void) | undefined;
}

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();
const shownMs = 6000;

function change(to: readonly Toast[]): void {
  toasts = to;
  for (const each of listeners) each();
}

/** Says for six seconds what was done; never for a failure that somebody must act on. */
export function toast(text: string, undo?: () => void): void {
  const id = next++;
  change([...toasts.slice(-2), { id, text, undo }]);
  setTimeout(() => change(toasts.filter((each) => each.id !== id)), shownMs);
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const { waiting } = useSyncExternalStore(connectionState.subscribe, connectionState.get);
  return (
    <div role="status" className="toasts">
      {waiting !== null && (
        <div className="toast">
          <Hourglass className="text-icon shrink-0" aria-hidden size={16} strokeWidth={1.5} />
          <span className="flex-1 pe-1">
            {t(waiting.status === 429 ? 'frame.waitingLimit' : 'frame.waiting', {
              seconds: waiting.seconds,
            })}
          </span>
        </div>
      )}
      {shown.map(({ id, text, undo }) => (
        <div key={id} className="toast">
          <CheckCircle2 className="text-ok shrink-0" aria-hidden size={16} strokeWidth={1.5} />
          <span className="flex-1">{text}</span>
          {undo !== undefined && (
            <Button
              size="xs"
              onPress={() => {
                undo();
                change(toasts.filter((each) => each.id !== id));
              }}
            >
              {t('common.undo')}
            </Button>
          )}
          <IconButton
            size="xs"
            icon={X}
            label={t('common.close')}
            onPress={() => change(toasts.filter((each) => each.id !== id))}
          />
        </div>
      ))}
    </div>
  );
}
