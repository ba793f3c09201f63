import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, X } from 'lucide-react';
import { Fragment } from 'react';
import type { UsageRun } from '../../../../src/contract/usage.ts';
import { duration, seconds } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { may } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Tag } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Phone } from '../../parts/phone.tsx';
import { Loaded } from '../../parts/states.tsx';
import { erasedOn } from '../call/erasing.tsx';
import { flagsOf, judgmentsIn, nodesOf, numberOf, personOf, valuesOf } from '../call/facts.ts';
import { eventsIn, readScript, slowLatency } from '../call/script.ts';
import { Flags, Outcome } from './outcome.tsx';
import { useNumberText } from '../../app/numbers.ts';
import { nameOf } from './names.ts';

const firstLines = 6;

/** A call beside the list: what came of it, what was learned, its path and its first words. */
export function Peek({ call, onClose }: { call: UsageRun; onClose: () => void }) {
  const number = numberOf(call);
  const numberText = useNumberText();
  const query = useQuery(
    get('/workflow/{workflow_id}/runs/{run_id}', {
      params: { workflow_id: call.workflow_id, run_id: call.id },
    }),
  );
  return (
    <aside className="peek" aria-label={t('calls.peekOf', { name: nameOf(call, numberText) })}>
      <header>
        <div className="flex items-center gap-2">
          <h2 className="h2 cut">{nameOf(call, numberText)}</h2>
          {number !== null && personOf(call) !== null && (
            <Phone number={number} className="text-12 text-muted" />
          )}
          <span className="grow" />
          <IconButton icon={X} label={t('common.close')} onPress={onClose} />
        </div>
        <div className="flex flex-wrap items-center gap-1">
          {call.disposition !== null && <Outcome code={call.disposition} />}
          <Flags of={flagsOf(call)} />
          <span className="text-12 text-muted">
            {call.workflow_name} · {duration(call.call_duration_seconds)}
          </span>
        </div>
      </header>
      <div>
        <Loaded query={query} rows={8}>
          {(run) => {
            const { items } = readScript(eventsIn(run.logs));
            const lines = items.filter((item) => item.kind === 'line').slice(0, firstLines);
            const slow = slowLatency(items);
            const [judgment] = judgmentsIn(run.annotations);
            const values = valuesOf(run);
            const nodes = nodesOf(run);
            return (
              <>
                {(slow !== null || judgment?.score != null) && (
                  <div className="sec flex gap-4">
                    {slow !== null && (
                      <span className="text-12 text-muted">
                        {t('calls.p95')} <b className="text-ink font-medium">{seconds(slow)}</b>
                      </span>
                    )}
                    {judgment?.score != null && (
                      <span className="text-12 text-muted">
                        {t('calls.qa')} <b className="text-ink font-medium">{judgment.score}</b>
                      </span>
                    )}
                  </div>
                )}
                {values.length > 0 && (
                  <section className="sec">
                    <h3 className="caps">{t('call.values')}</h3>
                    <dl className="kv">
                      {values.map(([name, value]) => (
                        <Fragment key={name}>
                          <dt className="cut">{name}</dt>
                          <dd>{value}</dd>
                        </Fragment>
                      ))}
                    </dl>
                  </section>
                )}
                {nodes.length > 0 && (
                  <section className="sec">
                    <h3 className="caps">{t('call.path')}</h3>
                    <div className="flex flex-wrap items-center gap-1">
                      {nodes.map((node, index) => (
                        <Fragment key={node}>
                          {index > 0 && <ChevronRight className="i" aria-hidden size={12} />}
                          <Tag is="agent">{node}</Tag>
                        </Fragment>
                      ))}
                    </div>
                  </section>
                )}
                <section className="sec">
                  <h3 className="caps">{t('calls.firstWords')}</h3>
                  {lines.length === 0 ? (
                    <p className="text-12 text-muted">
                      {!may('people:read')
                        ? t('call.wordsMasked')
                        : run.transcript_erased_at === null
                          ? t(run.is_completed ? 'calls.noWords' : 'calls.wordsLater')
                          : erasedOn('call.transcriptErased', run.transcript_erased_at)}
                    </p>
                  ) : (
                    <div className="talk">
                      {lines.map((line) => (
                        <p key={`${line.at}${line.text}`} className={`is-${line.speaker}`}>
                          <b>{t(`call.${line.speaker}`)}</b>
                          <span>{line.text}</span>
                        </p>
                      ))}
                    </div>
                  )}
                </section>
              </>
            );
          }}
        </Loaded>
      </div>
      <footer>
        <Link
          to="/calls/$agentId/$runId"
          params={{ agentId: String(call.workflow_id), runId: String(call.id) }}
          className="btn primary"
        >
          {t('calls.open')} <kbd>o</kbd>
        </Link>
        <span className="grow" />
        <span className="text-12 text-hint">
          <kbd>j</kbd> <kbd>k</kbd>
        </span>
      </footer>
    </aside>
  );
}
