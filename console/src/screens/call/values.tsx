import { Fragment } from 'react';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { may } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useNumberText } from '../../app/numbers.ts';
import { erasedOn } from './erasing.tsx';
import { extractedOf, initialOf, isPhoneNumber, otherGatheredOf, shown } from './facts.ts';
import type { VersionGraph } from './version-graph.ts';

/** What a call began with beside what it gathered. */
export function Values({ run, graph }: { run: WorkflowRun; graph: VersionGraph }) {
  if (run.variables_erased_at !== null)
    return <p className="call-note">{erasedOn('call.valuesErased', run.variables_erased_at)}</p>;
  if (!may('people:read')) return <p className="call-note">{t('call.valuesMasked')}</p>;
  const { given, own } = initialOf(run);
  const others = otherGatheredOf(run);
  return (
    <div className="value-columns">
      <section aria-labelledby="values-initial">
        <header>
          <h2 className="caps" id="values-initial">
            {t('call.initialValues')}
          </h2>
          {run.initial_context !== null && (
            <CopyButton text={JSON.stringify(run.initial_context, null, 2)} label={t('call.copyJson')} />
          )}
        </header>
        {given.length + own.length === 0 && <p className="text-muted">{t('call.noInitialValues')}</p>}
        <Pairs of={given} />
        {own.length > 0 && (
          <>
            <h3 className="text-12 text-muted">{t('call.ownValues')}</h3>
            <Pairs of={own} />
          </>
        )}
      </section>
      <section aria-labelledby="values-gathered">
        <header>
          <h2 className="caps" id="values-gathered">
            {t('call.values')}
          </h2>
          {run.gathered_context !== null && (
            <CopyButton text={JSON.stringify(run.gathered_context, null, 2)} label={t('call.copyJson')} />
          )}
        </header>
        <ExtractedValues run={run} graph={graph} />
        {others.length > 0 && (
          <>
            <h3 className="text-12 text-muted">{t('call.otherGathered')}</h3>
            <Pairs of={others} />
          </>
        )}
      </section>
    </div>
  );
}

function Pairs({ of }: { of: readonly [string, unknown][] }) {
  const numberText = useNumberText();
  return (
    <dl className="kv">
      {of.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="mono">{name}</dt>
          <dd>{isPhoneNumber(value) ? numberText(value) : shown(value)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The extracted values, with their types and the nodes that asked for them. */
export function ExtractedValues({ run, graph }: { run: WorkflowRun; graph: VersionGraph }) {
  const values = Object.entries(extractedOf(run));
  if (run.variables_erased_at !== null)
    return <p className="text-muted">{erasedOn('call.valuesErased', run.variables_erased_at)}</p>;
  if (values.length === 0)
    return <p className="text-muted">{t(run.is_completed ? 'call.noValues' : 'call.valuesLater')}</p>;
  return (
    <dl className="values">
      {values.map(([name, value]) => {
        const asked = graph.asked.get(name);
        return (
          <div key={name}>
            <dt>
              <span className="mono">{name}</span>
              {asked !== undefined && <span className="text-11 text-hint">{asked.type}</span>}
            </dt>
            <dd>
              <b>{shown(value)}</b>
              {asked !== undefined && (
                <span className="text-12 text-muted">
                  {t('call.askedIn', { node: asked.nodes.join(', ') })}
                </span>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
