import type { WebhookEndpoint } from '../../../../src/contract/webhook-endpoints.ts';
import { t } from '../../app/words.ts';

type Attempt = WebhookEndpoint['attempts'][number];

const cells = 100;
const [step, width, height] = [3, 2, 18];
/** Worse is taller, so that it is seen without color. */
const heights: Record<Attempt['result'] | 'none', number> = { ok: 10, retried: 14, failed: 18, none: 2 };

/** The last 100 attempts, newest at the end; what they say is in its name. */
export function HealthStrip({ attempts }: { attempts: readonly Attempt[] }) {
  const results = attempts.map(({ result }) => result);
  const shown = [...results, ...Array.from({ length: cells - results.length }, () => 'none' as const)];
  const pathOf = (wanted: keyof typeof heights) =>
    shown
      .flatMap((result, index) =>
        result === wanted
          ? [`M${index * step} ${height - heights[result]}h${width}V${height}h-${width}z`]
          : [],
      )
      .join('');
  const counted = (wanted: Attempt['result']) => results.filter((result) => result === wanted).length;
  return (
    <svg
      className="strip"
      role="img"
      aria-label={t('webhooks.strip', {
        n: results.length,
        ok: counted('ok'),
        retried: counted('retried'),
        failed: counted('failed'),
      })}
      viewBox={`0 0 ${cells * step} ${height}`}
      width={cells * step}
      height={height}
    >
      {(['ok', 'retried', 'failed', 'none'] as const).map((result) => (
        <path key={result} className={result} d={pathOf(result)} />
      ))}
    </svg>
  );
}
