import { useEffect } from 'react';
import { duration } from '../../app/format.ts';
import { useNow } from '../../app/now.ts';
import { t } from '../../app/words.ts';

/** Counts down to the moment from which another attempt counts. Read out once, not each second. */
export function TooOften({ untilMs, onOver }: { untilMs: number; onOver: () => void }) {
  const left = Math.ceil((untilMs - useNow()) / 1000);
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  return (
    <p className="text-bad-text">
      <span role="alert">{t('signIn.tooOften')}</span>{' '}
      <span className="num">{t('signIn.againIn', { time: duration(Math.max(0, left)) })}</span>
    </p>
  );
}
