import '../../styles/print.css';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import type { WebhookDelivery } from '../../../../src/contract/webhook-deliveries.ts';
import { nowDate } from '../../app/clock.ts';
import { date, duration, ownZone, timeOfDay } from '../../app/format.ts';
import { may } from '../../app/may.ts';
import { outcomeWords } from '../../app/outcome-words.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { nameOf } from '../calls/names.ts';
import { useNumberText } from '../../app/numbers.ts';
import { useCampaignPlace } from './campaign-place.ts';
import { erasedOn } from './erasing.tsx';
import { channelOf, extractedOf, initialOf, isPhoneNumber, numberOf, shown } from './facts.ts';
import { authorName } from './judging.tsx';
import type { MarkedItem } from './marks.ts';
import { titleOf } from './title.ts';

const printing = matchMedia('print');
let isBegun = false;

/** Whether the page is being printed. What is printed alone is not there before. */
export const useIsPrinting = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      const begin = () => {
        isBegun = true;
        listener();
      };
      const end = () => {
        isBegun = false;
        listener();
      };
      window.addEventListener('beforeprint', begin);
      window.addEventListener('afterprint', end);
      printing.addEventListener('change', listener);
      return () => {
        window.removeEventListener('beforeprint', begin);
        window.removeEventListener('afterprint', end);
        printing.removeEventListener('change', listener);
      };
    },
    () => isBegun || printing.matches,
  );

const momentWords = (at: string): string => {
  const moment = new Date(at);
  return `${date(moment)} ${moment.getFullYear()}, ${timeOfDay(moment)}`;
};

/** A call on paper: facts, values, all that was said and done, and what was sent. Numbers are as the page shows them. */
export function PrintedCall({
  run,
  version,
  items,
  deliveries,
  names,
  isSimulated,
}: {
  run: WorkflowRun;
  version: number | null;
  items: readonly MarkedItem[];
  deliveries: readonly WebhookDelivery[];
  /** Names of nodes by their ids. */
  names: ReadonlyMap<string, string>;
  isSimulated: boolean;
}) {
  const numberText = useNumberText();
  const { data: agents } = useQuery(get('/organizations/reports/workflows', {}));
  const number = numberOf(run);
  const agent = agents?.find(({ id }) => id === run.workflow_id)?.name ?? String(run.workflow_id);
  const facts: readonly [string, ReactNode][] = [
    [t('call.print.began'), `${momentWords(run.created_at)} (${ownZone.replaceAll('_', ' ')})`],
    [t('calls.length'), duration(run.call_duration_seconds ?? 0)],
    ...(run.disposition === null
      ? []
      : [[t('calls.outcome'), outcomeWords(run.disposition)] as [string, ReactNode]]),
    [
      t('calls.facet.channel'),
      `${t(`calls.channel.${channelOf(run.mode)}`)}, ${t(`calls.direction.${run.call_type === 'inbound' ? 'in' : 'out'}`).toLowerCase()}`,
    ],
    ...(number === null ? [] : [[t('call.print.number'), numberText(number)] as [string, ReactNode]]),
    [t('calls.agent'), version === null ? agent : `${agent}, ${t('calls.versionOf', { version })}`],
    ...(run.campaign_id === null
      ? []
      : [
          [t('calls.is.campaign'), <Campaign key="campaign" run={run} id={run.campaign_id} />] as [
            string,
            ReactNode,
          ],
        ]),
    [t('call.print.id'), run.call_id],
  ];
  return createPortal(
    <article className="printed">
      <header>
        <h1>{titleOf(run, nameOf(run, numberText))}</h1>
        {isSimulated && <p>{t('call.print.simulated')}</p>}
      </header>
      <Pairs of={facts} />
      <h2>{t('call.initialValues')}</h2>
      <ValuesOf run={run} of={initialOf(run).given} none={t('call.noInitialValues')} />
      <h2>{t('call.values')}</h2>
      <ValuesOf run={run} of={Object.entries(extractedOf(run))} none={t('call.noValues')} />
      <h2>{t('call.transcript')}</h2>
      {run.transcript_erased_at !== null ? (
        <p>{erasedOn('call.transcriptErased', run.transcript_erased_at)}</p>
      ) : !may('people:read') ? (
        <p>{t('call.wordsMasked')}</p>
      ) : items.length === 0 ? (
        <p>{t('calls.noWords')}</p>
      ) : (
        <table>
          <tbody>
            {items.map((item, index) => (
              <tr key={index} className={item.kind}>
                <td>{duration(item.at / 1000)}</td>
                <Said item={item} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>{t('call.webhooks')}</h2>
      {deliveries.length === 0 ? (
        <p>{t(run.is_completed ? 'call.print.noWebhooks' : 'call.webhooksLater')}</p>
      ) : (
        <table>
          <tbody>
            {deliveries.map((each) => (
              <tr key={each.id}>
                <td>{momentWords(each.created_at)}</td>
                <td>
                  {names.get(each.node_id) ?? each.node_id}
                  <br />
                  <small>
                    {each.method} {each.url}
                  </small>
                </td>
                <td>
                  {t(`call.delivery.${each.state}`)}
                  <br />
                  <small>{t('call.print.attempts', { n: each.attempt_count })}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <footer>
        {t('call.print.printed', { at: momentWords(nowDate().toISOString()), url: location.href })}
      </footer>
    </article>,
    document.body,
  );
}

function Campaign({ run, id }: { run: WorkflowRun; id: number }) {
  const { name, row, attempt } = useCampaignPlace(run, id);
  return [
    name,
    ...(row === null ? [] : [t('call.row', { row })]),
    ...(attempt === null ? [] : [t('call.attemptOf', { attempt })]),
  ].join(' › ');
}

function ValuesOf({ run, of, none }: { run: WorkflowRun; of: readonly [string, unknown][]; none: string }) {
  const numberText = useNumberText();
  if (run.variables_erased_at !== null)
    return <p>{erasedOn('call.valuesErased', run.variables_erased_at)}</p>;
  if (!may('people:read')) return <p>{t('call.valuesMasked')}</p>;
  if (of.length === 0) return <p>{none}</p>;
  return (
    <Pairs of={of.map(([name, value]) => [name, isPhoneNumber(value) ? numberText(value) : shown(value)])} />
  );
}

function Pairs({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl>
      {of.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Who or what it was, and what was said or done. */
function Said({ item }: { item: MarkedItem }) {
  switch (item.kind) {
    case 'line':
      return (
        <>
          <th scope="row">{t(`call.${item.speaker}`)}</th>
          <td>
            {item.text}
            {item.isCutOff && <i> ({t('call.interrupted')})</i>}
          </td>
        </>
      );
    case 'hop':
      return (
        <th scope="row" colSpan={2}>
          {item.node}
          {item.by !== null && <small> {t('call.by', { transition: item.by })}</small>}
        </th>
      );
    case 'tool':
      return (
        <>
          <th scope="row">{t('call.tool')}</th>
          <td>
            {item.name}
            {item.hasFailed && <i> ({t('call.toolFailed')})</i>}
          </td>
        </>
      );
    case 'fault':
      return (
        <>
          <th scope="row">{t('call.fault')}</th>
          <td>{item.what}</td>
        </>
      );
    case 'mark':
      return (
        <>
          <th scope="row">{item.what === 'asked' ? authorName(item.by) : t('call.host')}</th>
          <td>{t(item.what === 'asked' ? `call.did.${item.action}` : 'call.movedHost')}</td>
        </>
      );
  }
}
