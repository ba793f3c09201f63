import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import { useState } from 'react';
import { nowMs } from '../../app/clock.ts';
import { count } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Bucket, bucketFor, type Mark, marksOf, padded } from './activity-marks.ts';
import { spanText } from './estimate.tsx';
import type { Campaign } from './facts.ts';
import { moment } from './words.tsx';

/** Two hours. */
const minBuckets = 24;
/** The maximum of the API, in case a campaign goes on for longer than its last entry says. */
const maxBuckets = 288;
const renewMs = 15_000;

/** Calls and people reached by interval, with marks for pauses, changes and faults; or the same as a table. */
export function Activity({ campaign }: { campaign: Campaign }) {
  const [isTable, setTable] = useState(false);
  const { started_at: from, completed_at: to } = campaign;
  const bucketSeconds = bucketFor(
    from === null ? 0 : ((to === null ? nowMs() : new Date(to).getTime()) - new Date(from).getTime()) / 1000,
  );
  const { data } = useQuery({
    ...get('/campaign/{campaign_id}/activity', {
      params: { campaign_id: campaign.id },
      query: { bucket: bucketSeconds, limit: maxBuckets },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: campaign.state === 'running' ? renewMs : false,
  });
  const buckets = padded(data?.buckets ?? [], { bucketSeconds, min: minBuckets });
  if (buckets.length === 0) return null;
  const happened = [
    ...campaign.logs,
    ...(data?.dialing ?? []).map(({ at, is_stopped: isStopped, by }) => ({
      ts: at,
      event: isStopped ? 'all_stopped' : 'all_resumed',
      message: t(isStopped ? 'campaigns.activity.allStopped' : 'campaigns.activity.allResumed', {
        by: by ?? 'none',
      }),
    })),
  ].toSorted((one, other) => one.ts.localeCompare(other.ts));
  const marks = marksOf(buckets, bucketSeconds, happened);
  return (
    <Card
      title={t('campaigns.activity', { each: spanText(bucketSeconds) })}
      aside={
        <Button size="xs" kind="ghost" icon={Table2} onPress={() => setTable(!isTable)}>
          {t(isTable ? 'campaigns.activity.chart' : 'campaigns.activity.table')}
        </Button>
      }
    >
      {isTable ? <AsTable buckets={buckets} marks={marks} /> : <AsChart buckets={buckets} marks={marks} />}
    </Card>
  );
}

interface Shown {
  buckets: readonly Bucket[];
  marks: readonly (readonly Mark[])[];
}

function AsChart({ buckets, marks }: Shown) {
  const most = Math.max(1, ...buckets.map(({ calls }) => calls));
  const height = (value: number) => ({ blockSize: value === 0 ? 0 : `max(2px, ${(value / most) * 100}%)` });
  const words = ({ from, calls, reached }: Bucket) =>
    t('campaigns.activity.bar', {
      at: moment(from),
      calls: t('campaigns.activity.calls', { n: calls }),
      reached: t('campaigns.activity.reached', { n: reached }),
    });
  return (
    <div className="activity">
      {/* The table has the same for screen readers. */}
      <div className="activity-bars" aria-hidden>
        <span className="activity-most text-12 text-muted num">{count(most)}</span>
        {buckets.map((bucket, index) => (
          <span
            key={bucket.from}
            title={[words(bucket), ...(marks[index] ?? []).map((mark) => mark.message)].join('\n')}
          >
            <i className="activity-calls" style={height(bucket.calls)} />
            <i className="activity-reached" style={height(bucket.reached)} />
            {(marks[index]?.length ?? 0) > 0 && (
              <i className={`activity-mark is-${marks[index]?.at(-1)?.is ?? ''}`} />
            )}
          </span>
        ))}
      </div>
      <div className="row text-12 text-muted num" aria-hidden>
        <span>{moment(buckets[0]?.from ?? '')}</span>
        <span className="grow" />
        <span>{moment(buckets.at(-1)?.from ?? '')}</span>
      </div>
      <ul className="activity-key text-12 text-muted">
        <li>
          <i className="key activity-calls" aria-hidden /> {t('campaigns.activity.callsHead')}
        </li>
        <li>
          <i className="key activity-reached" aria-hidden /> {t('campaigns.activity.reachedHead')}
        </li>
        {marks
          .flat()
          .slice(-markedWords)
          .map(({ is, at, message }) => (
            <li key={`${at}${message}`}>
              <i className={`key is-${is}`} aria-hidden /> <span className="num">{moment(at)}</span> {message}
            </li>
          ))}
      </ul>
    </div>
  );
}

const markedWords = 3;

function AsTable({ buckets, marks }: Shown) {
  return (
    <div className="activity-table" role="region" tabIndex={0} aria-label={t('campaigns.activity.table')}>
      <table className="table">
        <thead>
          <tr>
            {(['from', 'callsHead', 'reachedHead', 'markHead'] as const).map((id) => (
              <th key={id} scope="col">
                {t(`campaigns.activity.${id}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets
            .map((bucket, index) => ({ ...bucket, marks: marks[index] ?? [] }))
            .toReversed()
            .map(({ from, calls, reached, marks: here }) => (
              <tr key={from}>
                <th scope="row" className="num">
                  {moment(from)}
                </th>
                <td className="num">{count(calls)}</td>
                <td className="num">{count(reached)}</td>
                <td>{here.map(({ message }) => message).join('. ')}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
