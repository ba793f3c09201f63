import { AudioLines, Check, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { duration, seconds } from '../../app/format.ts';
import { hasWords, t } from '../../app/words.ts';
import { Count } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { cx } from '../../parts/cx.ts';
import type { CallView } from '../../live/call-view.ts';
import { bodyParts, stopsOf, type BodyPart, type Plan } from './plan.ts';

export interface HappensProps {
  plan: Plan;
  view: CallView | null;
  isEnded: boolean;
  /** The call once its record is complete. */
  run: WorkflowRun | null;
  /** Values that the call began with. */
  values: Record<string, unknown>;
  agentName: string;
}

function Path({ plan, view, isEnded }: HappensProps) {
  const stops = stopsOf(plan, view?.path ?? [], isEnded);
  const isOn = view !== null && view.path.length > 0;
  const reached = stops.filter(({ is }) => is !== 'later').length;
  return (
    <div className="card">
      <div className="card-h">
        <h3 className="h2">{t('welcome.path')}</h3>
        <span className="grow" />
        <span className="small t-2">
          {isOn
            ? t('welcome.nodeOf', { n: reached, total: stops.length })
            : t('welcome.nodes', { n: stops.length })}
        </span>
      </div>
      <ol className="pathl">
        {stops.map(({ id, name, is, atMs }) => (
          <li
            key={id}
            className={is === 'now' ? 'now1' : is === 'seen' ? 'seen1' : 'later'}
            {...(is === 'now' ? { 'aria-current': 'step' as const } : {})}
          >
            <span className="nd">
              {is === 'seen' && <Check className="i" aria-hidden strokeWidth={2} />}
              {is === 'now' && <AudioLines className="i" aria-hidden strokeWidth={2} />}
            </span>
            <b>{name}</b>
            {atMs !== null && <span className="small t-3">{duration(atMs / 1000)}</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}

const isKnown = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

export const foundIn = (plan: Plan, run: WorkflowRun | null): number =>
  plan.values.filter(({ name }) => isKnown(run?.gathered_context?.[name])).length;

function Values({ plan, view, isEnded, run }: HappensProps) {
  const present = isEnded ? undefined : view?.path.at(-1)?.nodeId;
  const rest = (type: string, nodeId: string): ReactNode => {
    if (run !== null) return '–';
    if (isEnded) return t('welcome.reading');
    if (nodeId === present) return t('welcome.asksNow');
    if (view !== null) return '–';
    return hasWords(`welcome.type.${type}`) ? t(`welcome.type.${type}`) : type;
  };
  const found = foundIn(plan, run);
  return (
    <div className="card">
      <div className="card-h">
        <h3 className="h2">{t('welcome.found')}</h3>
        {found > 0 && <Count of={found} />}
        <span className="grow" />
        {run === null && <span className="small t-2">{t('welcome.foundWhen')}</span>}
      </div>
      <ul className="vals">
        {plan.values.map(({ name, type, nodeId }) => {
          const value: unknown = run?.gathered_context?.[name];
          return (
            <li key={name} className={cx(isKnown(value) && 'new')}>
              <span className="kk cut" title={name}>
                {name}
              </span>
              {isKnown(value) ? (
                <span className="vv cut" title={textOf(value)}>
                  {textOf(value)}
                </span>
              ) : (
                <span className="none cut">{rest(type, nodeId)}</span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const looks: Record<BodyPart['is'], (text: string) => ReactNode> = {
  plain: (text) => text,
  key: (text) => <span className="k">{text}</span>,
  given: (text) => <span className="s">{text}</span>,
  found: (text) => <mark>{text}</mark>,
  open: (text) => <em>{text}</em>,
};

function Hook({ plan, isEnded, run, values, agentName }: HappensProps) {
  const { webhook } = plan;
  if (webhook === null) return null;
  const parts = bodyParts(webhook.template, {
    variables: {
      workflow_name: agentName,
      initial_context: run?.initial_context ?? values,
      gathered_context: run?.gathered_context ?? {},
      cost_info: run?.cost_info ?? {},
      ...(run === null
        ? {}
        : {
            workflow_run_id: run.id,
            workflow_run_name: run.name,
            call_time: run.created_at,
            transcript_url: run.transcript_public_url,
            recording_url: run.recording_public_url,
          }),
    },
    isEnded: isEnded && run !== null,
    openWords: t('welcome.notYet'),
  });
  return (
    <div className="card hook">
      <div className="card-h">
        <span className="glyph s is-webhook">
          <Webhook className="i" aria-hidden strokeWidth={1.5} />
        </span>
        <h3 className="h2">{t('welcome.webhook')}</h3>
        <span className="small t-2 cut">{t('welcome.webhookNote')}</span>
        <span className="grow" />
        {run !== null && (
          <CopyButton text={parts.map(({ text }) => text).join('')} label={t('common.copy')} />
        )}
      </div>
      {/* A region that scrolls is reached by keyboard. */}
      <div className="code" tabIndex={0} role="region" aria-label={t('welcome.webhook')}>
        {webhook.method} {webhook.url === '' ? t('welcome.yourAddress') : webhook.url}
        {'\n'}
        <span className="k">content-type:</span> application/json
        {'\n\n'}
        {parts.map(({ is, text }, index) => (
          <span key={index}>{looks[is](text)}</span>
        ))}
      </div>
    </div>
  );
}

function LastWait({ view }: { view: CallView }) {
  const wait = view.lastWait;
  if (wait === null) return null;
  const { totalMs, modelMs } = wait;
  const restMs = modelMs === null ? null : Math.max(0, totalMs - modelMs);
  return (
    <div className="card quick">
      <span>
        <span className="big">{seconds(totalMs)}</span>
        <span className="small t-2 block">{t('welcome.lastAnswer')}</span>
      </span>
      {modelMs !== null && restMs !== null && (
        <span className="stack gap-2">
          <span
            className="segbar"
            role="img"
            aria-label={t('welcome.waitSplit', { model: seconds(modelMs), rest: seconds(restMs) })}
          >
            <i className="is-model" style={{ flex: Math.max(modelMs, 1) }} />
            <i className="is-agent" style={{ flex: Math.max(restMs, 1) }} />
          </span>
          <span className="lg">
            <span>
              <i className="dot text-model" />
              {t('welcome.thought')} <b>{seconds(modelMs)}</b>
            </span>
            <span>
              <i className="dot text-agent" />
              {t('welcome.rest')} <b>{seconds(restMs)}</b>
            </span>
          </span>
        </span>
      )}
    </div>
  );
}

/** What a call will show, before anybody is picked to call. */
export const Soon = () =>
  (['path', 'found', 'webhook'] as const).map((id) => (
    <div key={id} className="card">
      <div className="card-h">
        <h3 className="h2">{t(`welcome.${id}`)}</h3>
      </div>
      <p className="soon">{t(`welcome.${id}Soon`)}</p>
    </div>
  ));

/** What a call does, beside it: the path, the values, the webhook and the wait for the last answer. */
export function Happens(props: HappensProps) {
  return (
    <>
      <div className="two">
        <Path {...props} />
        <Values {...props} />
      </div>
      <Hook {...props} />
      {props.view !== null && <LastWait view={props.view} />}
    </>
  );
}
