import { Link, useNavigate } from '@tanstack/react-router';
import { count } from '../../app/format.ts';
import { hasWords, t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import {
  areRowsRead,
  type Campaign,
  closedOf,
  isHeldByHours,
  type Progress,
  type Remedy,
  remedyOf,
  standingOf,
  waitsOf,
} from './facts.ts';
import { rowReasons } from './search.ts';
import type { Asked } from './verbs.tsx';
import { reasonText, say } from './words.tsx';

/**
 * Why nobody else is being called: the reason of the campaign, and the reasons of the rows that wait, each with
 * when it ends and what ends it sooner.
 */
export function Why({
  campaign,
  progress,
  onAsk,
}: {
  campaign: Campaign;
  progress: Progress;
  onAsk: (verb: Asked['verb'], at?: Asked['at']) => void;
}) {
  const { id } = campaign;
  const waiting = progress.rows.queued + progress.rows.waiting;
  const standing = standingOf(campaign);
  const isOver = ['completed', 'stopped', 'failed'].includes(standing);
  const waits = isOver || waiting === 0 ? [] : waitsOf(progress);
  const reason = campaign.wait_reason;
  return (
    <Card
      title={t(isOver || standing === 'created' ? 'campaigns.whyOver' : 'campaigns.why')}
      aside={
        waiting > 0 && (
          <span className="text-12 text-muted num">{t('campaigns.waitingRows', { rows: waiting })}</span>
        )
      }
    >
      {isOver || waiting === 0 ? (
        <p className="text-muted p-4">
          {areRowsRead(progress)
            ? t('campaigns.because.rows_are_read')
            : t(`campaigns.whyNot.${isOver ? 'over' : standing === 'created' ? 'created' : 'none'}`)}
        </p>
      ) : (
        <>
          {waits.length > 0 && (
            <div className="why-bar" aria-hidden>
              <span className="segbar">
                {waits.map(({ reason: each, rows }, index) => (
                  <i key={each} className={`wait-${index % 5}`} style={{ flex: rows }} />
                ))}
              </span>
            </div>
          )}
          <ul className="whys">
            {reason !== null && (waits.length === 0 || isHeldByHours(campaign)) && (
              <li>
                <span />
                <span className="num" />
                <WaitWords reason={reason} nextAt={campaign.wait_until} />
                <RemedyButton remedy={remedyOf(reason)} onAsk={onAsk} />
              </li>
            )}
            {waits.map(({ reason: each, rows, nextAt }, index) => (
              <li key={each}>
                <i className={`key wait-${index % 5}`} aria-hidden />
                <b className="num text-ink">{count(rows)}</b>
                <WaitWords
                  reason={each}
                  nextAt={nextAt}
                  filter={rowReasons.find((known) => known === each)}
                  campaignId={id}
                  zones={each === 'outside_window' ? zonesText(progress) : []}
                />
                <RemedyButton remedy={remedyOf(each)} onAsk={onAsk} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

const shownZones = 4;

/** The zones with the most rows, and how many others there are. */
function zonesText(progress: Progress): readonly string[] {
  const all = closedOf(progress);
  const others = all.slice(shownZones).reduce((sum, { values }) => sum + (values?.['rows'] ?? 0), 0);
  return [
    ...all.slice(0, shownZones).map((zone) => say(zone)),
    ...(others === 0 ? [] : [t('campaigns.truth.otherZones', { rows: others })]),
  ];
}

function WaitWords({
  reason,
  nextAt,
  filter,
  campaignId,
  zones = [],
}: {
  reason: string;
  nextAt: string | null;
  filter?: (typeof rowReasons)[number] | undefined;
  campaignId?: number;
  /** Who waits in which time zone. */
  zones?: readonly string[];
}) {
  const ends = hasWords(`campaigns.ends.${reason}`)
    ? say({ id: `campaigns.ends.${reason}`, until: nextAt })
    : '';
  return (
    <span className="min-w-0">
      {filter === undefined || campaignId === undefined ? (
        <span className="text-ink block">{reasonText(reason)}</span>
      ) : (
        <Link
          to="/campaigns/$id"
          params={{ id: String(campaignId) }}
          search={{ reason: filter }}
          hash="rows"
          resetScroll={false}
          className="why-link"
        >
          {reasonText(reason)}
        </Link>
      )}
      <span className="text-muted text-12 block">{ends}</span>
      {zones.length > 0 && (
        <ul className="why-zones text-12 text-muted num">
          {zones.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </span>
  );
}

const changes: Partial<Record<Remedy, Asked['at']>> = {
  hours: 'hours',
  plan: 'plan',
  caps: 'caps',
  lines: 'lines',
  pace: 'pace',
  numbers: 'numbers',
};

function RemedyButton({
  remedy,
  onAsk,
}: {
  remedy: Remedy | null;
  onAsk: (verb: Asked['verb'], at?: Asked['at']) => void;
}) {
  const navigate = useNavigate();
  if (remedy === null) return <span />;
  const at = changes[remedy];
  const label = t(`campaigns.remedy.${remedy}`);
  if (remedy === 'telephony')
    return (
      <Link to="/telephony" className="btn">
        {label}
      </Link>
    );
  if (remedy === 'dialing')
    return (
      <Button needs="admin" onPress={() => void navigate({ to: '/campaigns' })}>
        {label}
      </Button>
    );
  return (
    <Button needs="calls:trigger" onPress={() => (at === undefined ? onAsk('resume') : onAsk('change', at))}>
      {label}
    </Button>
  );
}
