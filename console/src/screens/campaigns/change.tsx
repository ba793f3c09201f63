import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { toast } from '../../parts/toast.tsx';
import type { Campaign } from './facts.ts';
import { useConnections } from './connections.ts';
import { BreakerFields, HoursFields, NumbersField, PaceFields, PlanFields } from './fields.tsx';
import {
  changesOf,
  merged,
  type Place,
  placeRefusal,
  planned,
  type SettingName,
  type Settings,
  settingsOf,
  updateOf,
} from './settings.ts';
import { tookPlace } from './verbs.tsx';
import { breakerText, clockText, outcomeText, planText, weekText } from './words.tsx';

/** The section of the form that a setting is in. */
const sectionOf = (at: SettingName | undefined): string => {
  if (at === 'caps') return 'plan';
  return at === 'hours' || at === 'plan' || at === 'numbers' || at === 'breaker' ? at : 'pace';
};

/** Changes a campaign, also while it runs. What changes is shown as before → after. */
export function ChangeDialog({
  campaign,
  at,
  onClose,
}: {
  campaign: Campaign;
  at: SettingName | undefined;
  onClose: () => void;
}) {
  const [before, setBefore] = useState(() => settingsOf(campaign));
  /** What somebody else has stored while the dialog was open. */
  const [theirs, setTheirs] = useState<ShownChanges | null>(null);
  const [settings, setSettings] = useState(before);
  const [faults, setFaults] = useState<Partial<Record<Place, string>>>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const news = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (theirs !== null || error !== null) news.current?.scrollIntoView({ block: 'center' });
  }, [theirs, error]);
  const { data: limits } = useQuery(get('/organizations/campaign-defaults', {}));
  const { numbers } = useConnections(campaign.telephony_configuration_id);
  const change = (next: Partial<Settings>) => {
    setFaults({});
    setSettings((now) => ({ ...now, ...next }));
  };
  const changes = changesOf(before, settings);
  const isPublished = campaign.rules === null;
  const apply = async (isAgain = false): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const params = { campaign_id: campaign.id };
      const { body: now, etag } = await call('get', '/campaign/{campaign_id}', { params });
      const stored = settingsOf(now);
      const others = changesOf(before, stored);
      if (others.length > 0) {
        setTheirs({ before, after: stored, names: others });
        setBefore(stored);
        setSettings(merged(before, { mine: settings, stored }));
        return;
      }
      const { body } = await call('patch', '/campaign/{campaign_id}', {
        params,
        body: updateOf(before, settings, now.rules),
        ifMatch: etag,
      });
      await tookPlace(body);
      toast(t('campaigns.did.change', { n: changes.length }));
      onClose();
    } catch (failure) {
      // Somebody else was faster between the two requests.
      if (failure instanceof ApiError && failure.status === 412 && !isAgain) return await apply(true);
      const { at: placed, rest } =
        failure instanceof ApiError ? placeRefusal(failure) : { at: {}, rest: [''] };
      setFaults(placed);
      if (rest.length > 0 || Object.keys(placed).length === 0) setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const fields = { settings, onChange: change, faults };
  const section = sectionOf(at);
  const open = (id: string) => at === undefined || section === id;
  return (
    <Dialog
      title={t('campaigns.changeTitle', { name: campaign.name })}
      isOpen
      size="xl"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" isDisabled={isBusy || changes.length === 0} onPress={() => void apply()}>
            {t('campaigns.apply', { n: changes.length })}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {campaign.state !== 'created' && <Note>{t('campaigns.changeWhat')}</Note>}
        {at === undefined && (
          <TextField
            label={t('campaigns.name')}
            value={settings.name}
            error={faults.name}
            onChange={(name) => change({ name })}
            maxLength={255}
          />
        )}
        <Section id="pace" isOpen={open('pace')}>
          <PaceFields {...fields} limit={limits?.concurrent_call_limit} isPublished={isPublished} />
          {before.lines !== null && settings.lines === null && (
            <p className="hint">{t('campaigns.linesStay', { lines: before.lines })}</p>
          )}
        </Section>
        <Section id="hours" isOpen={open('hours')}>
          <HoursFields {...fields} isClockFixed={isPublished} />
        </Section>
        <Section id="plan" isOpen={open('plan')}>
          {isPublished ? <Note>{t('campaigns.publishedPlan')}</Note> : <PlanFields {...fields} />}
        </Section>
        {/* It is there before its numbers are, so that nothing moves under a hand. */}
        {!isPublished && (
          <Section id="numbers" isOpen={open('numbers')}>
            {numbers !== undefined && numbers.length > 0 && (
              <NumbersField
                numbers={numbers}
                chosen={settings.numbers}
                onChange={(ids) => change({ numbers: ids })}
                fault={faults.numbers}
              />
            )}
            <p className="hint">
              {t('campaigns.numbersMore')}{' '}
              <Link to="/telephony" className="link in-text">
                {t('campaigns.remedy.telephony')}
              </Link>
            </p>
          </Section>
        )}
        <Section id="breaker" isOpen={open('breaker')}>
          <BreakerFields {...fields} />
        </Section>
        <div ref={news} className="grid gap-2 empty:hidden">
          <Refusal error={error} />
          {theirs !== null && (
            <div role="alert" className="campaign-theirs">
              <p>{t('campaigns.changedMeanwhile')}</p>
              <Changes label={t('campaigns.changedByOthers')} {...theirs} />
            </div>
          )}
        </div>
        {/* Behind the fields: a press on one would miss it if what it changes moved it away. */}
        <Changes label={t('campaigns.changes')} before={before} after={settings} names={changes} />
      </div>
    </Dialog>
  );
}

function Section({ id, isOpen, children }: { id: string; isOpen: boolean; children: React.ReactNode }) {
  return (
    <details className="campaign-section" open={isOpen}>
      <summary className="h2">
        <ChevronRight className="i" aria-hidden size={14} strokeWidth={1.5} />
        {t(`campaigns.section.${id}`)}
      </summary>
      <div>{children}</div>
    </details>
  );
}

interface ShownChanges {
  before: Settings;
  after: Settings;
  names: readonly SettingName[];
}

/** What will be different, or has become it, as before → after. */
function Changes({ label, before, after, names }: ShownChanges & { label: string }) {
  if (names.length === 0) return null;
  return (
    <ul className="changes" aria-label={label}>
      {names.flatMap((name) =>
        name === 'plan'
          ? planned
              .filter(
                (outcome) => JSON.stringify(before.plan[outcome]) !== JSON.stringify(after.plan[outcome]),
              )
              .map((outcome) => (
                <Change
                  key={outcome}
                  label={outcomeText(outcome)}
                  before={planText(before.plan[outcome])}
                  after={planText(after.plan[outcome])}
                />
              ))
          : [
              <Change
                key={name}
                label={t(`campaigns.set.${name}`)}
                before={settingText(before, name)}
                after={settingText(after, name)}
              />,
            ],
      )}
    </ul>
  );
}

const Change = ({ label, before, after }: { label: string; before: string; after: string }) => (
  <li>
    <span className="text-muted">{label}</span>
    <span className="row wrap">
      <del>{before}</del>
      <ArrowRight className="i" aria-hidden size={14} strokeWidth={1.5} />
      <span className="vh">{t('campaigns.becomes')}</span>
      <ins>{after}</ins>
    </span>
  </li>
);

const orNone = (value: number | null): string => (value === null ? t('campaigns.usual') : count(value));

function settingText(settings: Settings, name: Exclude<SettingName, 'plan'>): string {
  const { caps } = settings;
  switch (name) {
    case 'name':
      return settings.name;
    case 'lines':
      return settings.lines === null ? t('campaigns.linesOfOrganization') : count(settings.lines);
    case 'hours':
      return settings.isAnyHour
        ? t('campaigns.anyHour')
        : `${weekText(settings.week) || t('campaigns.closed')} · ${clockText(settings)}`;
    case 'caps':
      return t('campaigns.capsText', {
        hour: caps.per_hour ?? '∞',
        day: caps.per_day ?? '∞',
        week: caps.per_week ?? '∞',
      });
    case 'pace':
      return orNone(settings.pace);
    case 'ramp':
      return settings.rampLines === null
        ? t('campaigns.usual')
        : t('campaigns.rampText', { lines: settings.rampLines, more: settings.rampMore ?? 0 });
    case 'weight':
      return orNone(settings.weight);
    case 'numbers':
      return t('campaigns.numbersText', { n: settings.numbers.length });
    case 'skip':
      return orNone(settings.skipDays);
    case 'breaker':
      return breakerText(settings);
  }
}
