import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../app/words.ts';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import type { MicrophoneView } from './microphone.ts';

/** The microphone that is heard, with its level, the others to choose from, and what went wrong with one. */
export function MicrophoneChoice({
  view: { devices, current, trouble },
  level,
  onChoose,
  children,
}: {
  view: MicrophoneView;
  /** How loud it is: 0 to 1. */
  level: () => number;
  onChoose: (id: string) => void;
  /** What stands before it in its row. */
  children?: ReactNode;
}) {
  const nameOf = (id: string | null): string =>
    id === null
      ? t('microphone.none')
      : (devices.find((device) => device.id === id)?.label ?? '') || t('microphone.unnamed');
  const name = nameOf(current);
  return (
    <>
      {trouble !== null && (
        <p role="status" className="mic-trouble">
          {t(
            trouble.is === 'refused'
              ? 'microphone.refused'
              : current === null
                ? 'microphone.gone'
                : 'microphone.replaced',
            { device: trouble.label === '' ? t('microphone.unnamed') : trouble.label, now: name },
          )}
        </p>
      )}
      <div className="row mic">
        {children}
        <Level of={level} />
        <Menu
          label={t('microphone.all')}
          trigger={
            <Button
              size="xs"
              kind="ghost"
              isDisabled={devices.length === 0}
              aria-label={t('microphone.current', { name })}
            >
              <span className="cut">{name}</span>
              <ChevronDown className="i" aria-hidden size={14} strokeWidth={1.5} />
            </Button>
          }
          entries={devices.map(({ id }) => ({
            id,
            label: nameOf(id),
            ...(id === current ? { note: '✓' } : {}),
            onAction: () => onChoose(id),
          }))}
        />
      </div>
    </>
  );
}

/** How loud the microphone is. */
function Level({ of }: { of: () => number }) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      bar.current?.style.setProperty('inline-size', `${Math.round(of() * 100)}%`);
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [of]);
  return (
    <span className="level" role="img" aria-label={t('microphone.level')}>
      <i ref={bar} />
    </span>
  );
}
