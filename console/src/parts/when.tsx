import { ago } from '../app/format.ts';

/** A moment as people say it; the exact one in ISO on hover. */
export function When({ at }: { at: string | null | undefined }) {
  if (at == null) return <span className="text-hint">–</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={moment.toISOString()}>
      {ago(moment)}
    </time>
  );
}
