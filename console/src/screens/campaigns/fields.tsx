import { Plus, X } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { cx } from '../../parts/cx.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { Select } from '../../parts/select.tsx';
import { painted, type Range, readTime, sameOn, timeText, withDay } from './hours.ts';
import {
  type Breaker,
  type Caps,
  type Place,
  type Plan,
  planned,
  type Planned,
  readWaits,
  type Settings,
  usualBreaker,
  usualPlan,
  waitsText,
} from './settings.ts';
import { dayName, outcomeText, zoneName } from './words.tsx';

export interface FieldsProps {
  settings: Settings;
  onChange: (next: Partial<Settings>) => void;
  faults: Partial<Record<Place, string>>;
}

const zones = Intl.supportedValuesOf('timeZone');
const hours = 24;
const usualRange = { from: 540, to: 1200 };
const presets = [
  { id: 'weekdays', week: sameOn([0, 1, 2, 3, 4], usualRange) },
  { id: 'office', week: sameOn([0, 1, 2, 3, 4], { from: 540, to: 1020 }) },
  { id: 'everyDay', week: sameOn([0, 1, 2, 3, 4, 5, 6], usualRange) },
] as const;

/** Refused words below a group of fields. */
export const Fault = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : (
    <p role="alert" className="hint bad" data-fault>
      {words}
    </p>
  );

/** The calling hours: a grid of the week to drag in, and the same hours as times to type. */
export function HoursFields({
  settings,
  onChange,
  faults,
  isClockFixed = false,
}: FieldsProps & { isClockFixed?: boolean }) {
  const { week, clock, timeZone, isAnyHour } = settings;
  return (
    <div className="grid gap-3">
      <div className="campaign-pair">
        {!isClockFixed && (
          <Select
            label={t('campaigns.clock')}
            value={clock}
            onChange={(value) => onChange({ clock: value === 'contact' ? 'contact' : 'campaign' })}
            options={(['contact', 'campaign'] as const).map((value) => ({
              value,
              label: t(`campaigns.clock.${value}`),
            }))}
          />
        )}
        <Select
          label={t(clock === 'contact' ? 'campaigns.zoneFallback' : 'campaigns.zone')}
          {...(clock === 'contact' ? { hint: t('campaigns.zoneHint') } : {})}
          error={faults.timeZone}
          value={timeZone}
          onChange={(value) => onChange({ timeZone: value })}
          options={(zones.includes(timeZone) ? zones : [timeZone, ...zones]).map((value) => ({
            value,
            label: zoneName(value),
          }))}
        />
      </div>
      <Checkbox isSelected={isAnyHour} onChange={(isOn) => onChange({ isAnyHour: isOn })}>
        <span>{t('campaigns.anyHourField')}</span>
      </Checkbox>
      {!isAnyHour && (
        <>
          <div className="row wrap">
            {presets.map(({ id, week: preset }) => (
              <button
                key={id}
                type="button"
                className="chip"
                aria-pressed={JSON.stringify(preset) === JSON.stringify(week)}
                onClick={() => onChange({ week: preset })}
              >
                {t(`campaigns.hours.${id}`)}
              </button>
            ))}
          </div>
          <div className="week">
            <div className="week-scale hide-s" aria-hidden>
              {[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => (
                <span key={hour} style={{ insetInlineStart: `${(hour / hours) * 100}%` }}>
                  {hour}
                </span>
              ))}
            </div>
            {week.map((ranges, day) => (
              <Day
                key={day}
                day={day}
                ranges={ranges}
                onChange={(next) => onChange({ week: withDay(week, day, next) })}
              />
            ))}
          </div>
        </>
      )}
      <Fault words={faults.hours} />
    </div>
  );
}

function Day({
  day,
  ranges,
  onChange,
}: {
  day: number;
  ranges: readonly Range[];
  onChange: (ranges: readonly Range[]) => void;
}) {
  const drag = useRef<{ from: number; isOpen: boolean; before: readonly Range[] } | null>(null);
  const hourAt = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(hours - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * hours)));
  };
  const paint = (event: PointerEvent<HTMLElement>) => {
    if (drag.current === null) return;
    const { from, isOpen, before } = drag.current;
    const to = hourAt(event);
    onChange(painted(before, { from: Math.min(from, to) * 60, to: (Math.max(from, to) + 1) * 60 }, isOpen));
  };
  const name = dayName(day);
  const change = (index: number, next: Range) =>
    onChange(ranges.map((each, at) => (at === index ? next : each)));
  return (
    <div className="week-day" role="group" aria-label={name}>
      <Checkbox isSelected={ranges.length > 0} onChange={(isOn) => onChange(isOn ? [usualRange] : [])}>
        <span>{name}</span>
      </Checkbox>
      {/* For the mouse; by keyboard the times beside it do the same. */}
      <div
        className="week-bar hide-s"
        role="presentation"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const from = hourAt(event);
          const isOpen = !ranges.some((each) => each.from <= from * 60 && from * 60 < each.to);
          drag.current = { from, isOpen, before: ranges };
          paint(event);
        }}
        onPointerMove={paint}
        onPointerUp={() => {
          drag.current = null;
        }}
      >
        {ranges.map(({ from, to }) => (
          <i key={from} style={{ insetInlineStart: `${from / 14.4}%`, width: `${(to - from) / 14.4}%` }} />
        ))}
      </div>
      <div className="week-times">
        {ranges.length === 0 && <span className="text-hint text-12">{t('campaigns.closed')}</span>}
        {ranges.map((range, index) => (
          <span key={index} className="row">
            <Time
              label={t('campaigns.from', { day: name })}
              value={range.from}
              onChange={(from) => from < range.to && change(index, { ...range, from })}
            />
            <span aria-hidden>–</span>
            <Time
              label={t('campaigns.until', { day: name })}
              value={range.to}
              onChange={(to) => to > range.from && change(index, { ...range, to })}
            />
            {ranges.length > 1 && (
              <IconButton
                size="xs"
                icon={X}
                label={t('campaigns.removeHours', { day: name })}
                onPress={() => onChange(ranges.filter((_, at) => at !== index))}
              />
            )}
          </span>
        ))}
        {ranges.length > 0 && (ranges.at(-1)?.to ?? 0) <= 1320 && (
          <IconButton
            size="xs"
            icon={Plus}
            label={t('campaigns.addHours', { day: name })}
            onPress={() => {
              const to = ranges.at(-1)?.to ?? 0;
              onChange([...ranges, { from: to + 60, to: Math.min(1440, to + 120) }]);
            }}
          />
        )}
      </div>
    </div>
  );
}

/** A time of day. An invalid entry is reverted when the field loses focus. */
function Time({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (minutes: number) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  return (
    <input
      className="input time num"
      aria-label={label}
      inputMode="numeric"
      value={text ?? timeText(value)}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => {
        const minutes = readTime(text ?? '');
        if (minutes !== null) onChange(minutes);
        setText(null);
      }}
    />
  );
}

/** The retry plan: one line per outcome. */
export function PlanFields({ settings, onChange, faults }: FieldsProps) {
  const { plan: plans, caps } = settings;
  const set = (outcome: Planned, next: Partial<Plan>) =>
    onChange({ plan: { ...plans, [outcome]: { ...plans[outcome], ...next } } });
  const setCap = (name: keyof Caps, value: number | null) => onChange({ caps: { ...caps, [name]: value } });
  return (
    <div className="grid gap-3">
      <table className="table plan">
        <thead>
          <tr>
            <th scope="col">{t('campaigns.plan.after')}</th>
            <th scope="col">{t('campaigns.plan.calls')}</th>
            <th scope="col">{t('campaigns.plan.wait')}</th>
            <th scope="col">{t('campaigns.plan.then')}</th>
          </tr>
        </thead>
        <tbody>
          {planned.map((outcome) => (
            <PlanLine
              key={outcome}
              outcome={outcome}
              plan={plans[outcome]}
              onChange={(next) => set(outcome, next)}
            />
          ))}
          <tr>
            <td className="name">{t('campaigns.plan.callback')}</td>
            <td className="text-muted" colSpan={3}>
              {t('campaigns.plan.callbackWhat')}
            </td>
          </tr>
          <tr>
            <td className="name">{t('campaigns.plan.final')}</td>
            <td className="text-muted" colSpan={3}>
              {t('campaigns.plan.finalWhat')}
            </td>
          </tr>
        </tbody>
      </table>
      <Fault words={faults.plan} />
      <fieldset className="caps-fields">
        <legend className="lbl">{t('campaigns.caps')}</legend>
        {(['per_hour', 'per_day', 'per_week'] as const).map((name) => (
          <NumberField
            key={name}
            label={t(`campaigns.caps.${name}`)}
            value={caps[name]}
            onChange={(value) => setCap(name, value)}
            minValue={1}
            maxValue={1000}
          />
        ))}
      </fieldset>
      <p className="hint">{t('campaigns.capsHint')}</p>
      <Fault words={faults.caps} />
    </div>
  );
}

function PlanLine({
  outcome,
  plan,
  onChange,
}: {
  outcome: Planned;
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const name = outcomeText(outcome);
  const isChanged = JSON.stringify(plan) !== JSON.stringify(usualPlan[outcome]);
  const isBad = text !== null && text.trim() !== '' && readWaits(text) === null;
  const isNever = plan.retries === 0;
  return (
    <tr className={cx(!isChanged && 'is-usual')}>
      <td className="name">{name}</td>
      <td data-column={t('campaigns.plan.calls')}>
        <NumberField
          className="is-cell"
          isLabelHidden
          label={t('campaigns.plan.callsOf', { outcome: name })}
          value={plan.retries}
          onChange={(value) =>
            onChange({
              retries: value ?? 0,
              ...((value ?? 0) > 0 && plan.waits.length === 0 && !plan.isNextDay ? { waits: [120] } : {}),
            })
          }
          minValue={0}
          maxValue={20}
        />
      </td>
      <td data-column={t('campaigns.plan.wait')}>
        {!isNever && (
          <span className="block">
            <input
              className={cx('input', isBad && 'bad')}
              aria-label={t('campaigns.plan.waitOf', { outcome: name })}
              aria-invalid={isBad}
              placeholder={plan.isNextDay ? t('campaigns.plan.nextDay') : '10 min, 30 min'}
              value={text ?? waitsText(plan.waits)}
              onChange={({ target }) => setText(target.value)}
              onBlur={() => {
                const waits = readWaits(text ?? '');
                if (waits !== null) onChange({ waits });
                else if (text?.trim() === '' && plan.isNextDay) onChange({ waits: [] });
                setText(null);
              }}
            />
            {isBad && <span className="hint bad">{t('campaigns.plan.badWait')}</span>}
          </span>
        )}
      </td>
      <td>
        {!isNever && (
          <span className="row wrap">
            <Checkbox isSelected={plan.isNextDay} onChange={(isNextDay) => onChange({ isNextDay })}>
              <span className="text-12">{t('campaigns.plan.nextDay')}</span>
            </Checkbox>
            <Checkbox isSelected={plan.isOtherPart} onChange={(isOtherPart) => onChange({ isOtherPart })}>
              <span className="text-12">{t('campaigns.plan.otherPart')}</span>
            </Checkbox>
          </span>
        )}
      </td>
    </tr>
  );
}

/** Lines, pace, ramp and weight. */
export function PaceFields({
  settings,
  onChange,
  faults,
  limit,
  isPublished = false,
}: FieldsProps & {
  /** Calls at once that the organization may have. */
  limit: number | undefined;
  /** A campaign without rules of its own has lines alone. */
  isPublished?: boolean;
}) {
  return (
    <div className="campaign-four">
      <NumberField
        label={t('campaigns.set.lines')}
        hint={limit === undefined ? t('campaigns.linesHint') : t('campaigns.linesLimit', { limit })}
        error={faults.lines}
        value={settings.lines}
        onChange={(lines) => onChange({ lines })}
        minValue={1}
        maxValue={100}
      />
      {!isPublished && (
        <>
          <NumberField
            label={t('campaigns.set.pace')}
            hint={t('campaigns.paceHint')}
            error={faults.pace}
            value={settings.pace}
            onChange={(pace) => onChange({ pace })}
            minValue={0.01}
            maxValue={1000}
            step={0.01}
          />
          <NumberField
            label={t('campaigns.rampLines')}
            hint={t('campaigns.rampHint')}
            error={faults.ramp}
            value={settings.rampLines}
            onChange={(rampLines) => onChange({ rampLines, rampMore: settings.rampMore ?? rampLines })}
            minValue={1}
            maxValue={1000}
          />
          <NumberField
            label={t('campaigns.rampMore')}
            value={settings.rampMore}
            onChange={(rampMore) => onChange({ rampMore })}
            isDisabled={settings.rampLines === null}
            minValue={1}
            maxValue={1000}
          />
          <NumberField
            label={t('campaigns.set.weight')}
            hint={t('campaigns.weightHint')}
            error={faults.weight}
            value={settings.weight}
            onChange={(weight) => onChange({ weight })}
            minValue={1}
            maxValue={100}
          />
          <NumberField
            label={t('campaigns.set.skip')}
            unit={t('campaigns.days')}
            hint={t('campaigns.skipHint')}
            error={faults.skip}
            value={settings.skipDays}
            onChange={(skipDays) => onChange({ skipDays })}
            minValue={1}
            maxValue={365}
          />
        </>
      )}
    </div>
  );
}

/** When the campaign pauses by itself, because too many calls fail. */
export function BreakerFields({ settings: { breaker }, onChange, faults }: FieldsProps) {
  const set = (next: Partial<Breaker>) => onChange({ breaker: { ...breaker, ...next } });
  const figures = [
    { name: 'share', min: 1, max: 100, unit: '%' },
    { name: 'calls', min: 1, max: 100, unit: undefined },
    { name: 'seconds', min: 30, max: 600, unit: 's' },
  ] as const;
  return (
    <fieldset className="grid gap-2">
      <legend className="lbl">{t('campaigns.set.breaker')}</legend>
      <Checkbox isSelected={breaker.isOn} onChange={(isOn) => set({ isOn })}>
        <span>{t('campaigns.breaker.on')}</span>
      </Checkbox>
      {breaker.isOn && (
        <div className="campaign-four">
          {figures.map(({ name, min, max, unit }) => (
            <NumberField
              key={name}
              label={t(`campaigns.breaker.${name}`)}
              {...(unit === undefined ? {} : { unit })}
              value={breaker[name]}
              onChange={(value) => set({ [name]: value ?? usualBreaker[name] })}
              minValue={min}
              maxValue={max}
            />
          ))}
        </div>
      )}
      <Fault words={faults.breaker} />
    </fieldset>
  );
}

/** Caller numbers of a connection: all, or some. */
export function NumbersField({
  numbers,
  chosen,
  onChange,
  fault,
}: {
  numbers: readonly { id: number; address: string; label: string | null }[];
  chosen: readonly number[];
  onChange: (ids: readonly number[]) => void;
  fault: string | undefined;
}) {
  return (
    <fieldset className="field">
      <legend className="lbl">{t('campaigns.set.numbers')}</legend>
      <div className="row wrap">
        <Button
          size="xs"
          kind={chosen.length === 0 ? 'plain' : 'ghost'}
          aria-pressed={chosen.length === 0}
          onPress={() => onChange([])}
        >
          {t('campaigns.allNumbers')}
        </Button>
        {numbers.map(({ id, address, label }) => (
          <Checkbox
            key={id}
            isSelected={chosen.includes(id)}
            onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))}
          >
            <span className="mono text-12">{address}</span>
            {label !== null && <span className="text-12 text-muted">{label}</span>}
          </Checkbox>
        ))}
      </div>
      <Fault words={fault} />
    </fieldset>
  );
}
