import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { get } from '../app/query.ts';
import { Simulated } from './badge.tsx';
import { cx } from './cx.ts';
import { WhyNot } from './why-not.tsx';

/**
 * A page of a room: its title in the bar, its actions beside it, its content below. `room` is the link back
 * to the list.
 */
export function Page({
  title,
  heading,
  room,
  actions,
  children,
  isFlush = false,
  needs = [],
}: {
  /** Of the window, and of the bar unless `heading` is given. */
  title: string;
  heading?: ReactNode;
  room?: { to: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
  /** Without padding: tables and canvases. */
  isFlush?: boolean;
  /** What it needs: a sentence says what of it is not for the person, or masked. */
  needs?: readonly Scope[];
}) {
  useEffect(() => {
    document.title = [title, room?.label, 'Parlance'].filter(Boolean).join(' · ');
  }, [title, room?.label]);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  useEffect(() => setBar(document.querySelector<HTMLElement>('#bar')), []);
  return (
    <>
      {bar !== null &&
        createPortal(
          <>
            <div className="crumb">
              {room !== undefined && (
                <>
                  <Link
                    to={room.to}
                    className="inline-flex min-h-6 min-w-6 items-center"
                    aria-label={room.label}
                  >
                    <ChevronLeft className="i only-s" aria-hidden size={20} strokeWidth={1.5} />
                    <span className="hide-s">{room.label}</span>
                  </Link>
                  <ChevronRight className="i hide-s" aria-hidden size={14} strokeWidth={1.5} />
                </>
              )}
              {heading ?? <h1 className="text-13 text-ink cut font-semibold">{title}</h1>}
            </div>
            <span className="grow" />
            <IfSimulated />
            {actions}
          </>,
          bar,
        )}
      <WhyNot needs={needs} />
      <div className={cx('min-h-0 flex-1 overflow-auto', !isFlush && 'page')}>{children}</div>
    </>
  );
}

/** That something of this installation is simulated. It stands where it moves nothing that can be pressed. */
function IfSimulated() {
  const { data: health } = useQuery(get('/health', {}));
  const isSimulated = Object.values(health?.simulated ?? {}).includes(true);
  return isSimulated ? <Simulated /> : null;
}
