import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { duration } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { isZone } from '../../app/zone.ts';
import { SeverityIcon } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Facts } from '../../parts/card.tsx';
import { Phone } from '../../parts/phone.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useNumberText } from '../../app/numbers.ts';
import type { Campaign } from './facts.ts';
import { moment, outcomeText, rowLook, say } from './words.tsx';

/** The contact's time zone, if the file names it. */
function zoneIn(values: Readonly<Record<string, unknown>>, column: string | null): string | undefined {
  const zone = column === null ? undefined : values[column];
  return typeof zone === 'string' && isZone(zone) ? zone : undefined;
}

/** One row: where it stands, every call of it, its cells, and what the check of the file found. */
export function RowPanel({
  campaign,
  row,
  pollMs,
  onStep,
  onClose,
}: {
  campaign: Campaign;
  row: number;
  pollMs: number;
  onStep: (by: number) => void;
  onClose: () => void;
}) {
  const numberText = useNumberText();
  const query = useQuery({
    ...get('/campaign/{campaign_id}/rows/{row}', { params: { campaign_id: campaign.id, row } }),
    refetchInterval: pollMs,
    staleTime: 0,
  });
  const { data: directory } = useQuery(
    get('/directories/{directory_id}', { params: { directory_id: campaign.directory_id } }),
  );
  return (
    <aside className="campaign-side" aria-label={t('campaigns.openRow', { row })}>
      <header className="row">
        <h3 className="h2 flex-1">{t('campaigns.rowN', { row })}</h3>
        <IconButton
          size="xs"
          icon={ChevronUp}
          label={t('campaigns.key.previousRow')}
          onPress={() => onStep(-1)}
        />
        <IconButton
          size="xs"
          icon={ChevronDown}
          label={t('campaigns.key.nextRow')}
          onPress={() => onStep(1)}
        />
        <IconButton size="xs" icon={X} label={t('common.close')} onPress={onClose} />
      </header>
      <Loaded query={query}>
        {(found) => {
          const { icon: Icon, color, words } = rowLook(found);
          const zone = zoneIn(found.values, directory?.mapping.time_zone ?? null);
          const ends =
            found.reason === null
              ? ''
              : say({ id: `campaigns.ends.${found.reason}`, until: found.due_at }, zone);
          // Not before it is known which of them is the number.
          const values = directory === undefined ? [] : Object.entries(found.values);
          return (
            <>
              <section>
                <p className="row">
                  <Icon className={`i ${color}`} aria-hidden size={16} strokeWidth={1.5} />
                  <span className="text-ink font-medium">{words}</span>
                </p>
                {ends !== '' && <p className="text-12 text-muted">{ends}</p>}
                <p className="text-12 text-muted mt-1">
                  {found.phone_number === null ? '–' : <Phone number={`+${found.phone_number}`} />}
                  {found.identifier !== null && ` · ${found.identifier}`}
                </p>
              </section>
              <section>
                <h4 className="caps">{t('campaigns.attempts')}</h4>
                {found.history.length === 0 ? (
                  <p className="text-12 text-muted">{t('campaigns.noAttempts')}</p>
                ) : (
                  <ol className="campaign-attempts">
                    {found.history.toReversed().map((each) => (
                      <li key={each.attempt}>
                        <span className="text-muted num">{each.attempt}</span>
                        <span className="min-w-0">
                          <span className="text-ink block">
                            {each.outcome === null ? t('campaigns.row.calls') : outcomeText(each.outcome)}
                          </span>
                          <span className="text-12 text-muted block">
                            <time dateTime={each.begun_at} title={each.begun_at}>
                              {moment(each.begun_at, zone)}
                            </time>
                            {each.call_duration_seconds !== null &&
                              ` · ${duration(each.call_duration_seconds)}`}
                            {each.is_spent === false && ` · ${t('campaigns.notSpent')}`}
                          </span>
                        </span>
                        <Link
                          to="/calls/$agentId/$runId"
                          params={{
                            agentId: String(campaign.workflow_id),
                            runId: String(each.workflow_run_id),
                          }}
                          className="link text-12"
                          aria-label={t('campaigns.openCallN', { n: each.attempt })}
                        >
                          {t('campaigns.openCall')}
                        </Link>
                      </li>
                    ))}
                  </ol>
                )}
              </section>
              {found.findings.length > 0 && (
                <section>
                  <h4 className="caps">{t('campaigns.findings')}</h4>
                  <ul className="grid gap-2">
                    {found.findings.map(({ code, level, column, message, suggestion }) => (
                      <li key={`${code}${column}`} className="row items-start">
                        <SeverityIcon is={level === 'error' ? 'bad' : 'warn'} />
                        <span>
                          <span className="text-ink block">{message}</span>
                          <span className="text-12 text-muted block">{suggestion}</span>
                        </span>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
              {values.length > 0 && (
                <section>
                  <h4 className="caps">{t('campaigns.values')}</h4>
                  <Facts
                    rows={values.map(([name, value]) => [
                      name,
                      name === directory?.mapping.phone ? numberText(String(value)) : String(value),
                    ])}
                  />
                </section>
              )}
            </>
          );
        }}
      </Loaded>
    </aside>
  );
}
