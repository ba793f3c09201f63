import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type {
  DirectoryDetail,
  DirectoryPreview,
  UpdateDirectoryRequest,
} from '../../../../src/contract/directories.ts';
import { locale, t } from '../../app/words.ts';
import { damagedLetters, encodingName, numbersOf, samplesOf, shownCandidates } from './candidates.ts';
import { type Choice, ChoiceMenu } from './choice-menu.tsx';
import { countries, likelyCountries } from './countries.ts';
import { preview } from './queries.ts';

type Separator = ',' | ';' | '\t' | '|';
const separators: Readonly<Record<string, { id: string; mark: Separator }>> = {
  ',': { id: 'comma', mark: ',' },
  ';': { id: 'semicolon', mark: ';' },
  '\t': { id: 'tab', mark: '\t' },
  '|': { id: 'bar', mark: '|' },
};
const nameOfSeparator = (mark: string): string => t(`contacts.separator.${separators[mark]?.id ?? 'comma'}`);
const keptMs = 300_000;

interface BarProps {
  directory: DirectoryDetail;
  /** Null while it loads. */
  shown: DirectoryPreview;
  isLocked: boolean;
  onChange: (change: UpdateDirectoryRequest) => void;
}

/** How a file is read. Each menu shows what its entries would make of the file. */
export function ReadingBar(props: BarProps) {
  const { shown } = props;
  return (
    <>
      {shown.kind === 'csv' ? (
        <>
          <EncodingMenu {...props} />
          <SeparatorMenu {...props} />
        </>
      ) : (
        <SheetMenu {...props} />
      )}
      <HeaderMenu {...props} />
      <CountryMenu {...props} />
      <RuleMenus {...props} />
    </>
  );
}

/** Previews of alternatives, which are asked for when their menu opens. Null for one that cannot be read. */
function useAlternatives(
  id: number,
  isOn: boolean,
  alternatives: readonly Parameters<typeof preview>[1][],
): (DirectoryPreview | null | undefined)[] {
  return useQueries({
    queries: alternatives.map((each) => ({
      ...preview(id, each),
      staleTime: keptMs,
      enabled: isOn,
      retry: false,
    })),
  }).map(({ data, isError }) => data ?? (isError ? null : undefined));
}

/** The choices with their samples, once all are there. */
function withSamples(
  choices: readonly Choice[],
  answers: readonly (DirectoryPreview | null | undefined)[],
  sampled: (previews: readonly DirectoryPreview[]) => string[],
): Choice[] {
  if (answers.includes(undefined)) return [...choices];
  const known = answers.filter((each) => each !== null && each !== undefined);
  const samples = sampled(known);
  let at = 0;
  return choices.map((choice, index) => {
    if (index >= answers.length) return choice;
    if (answers[index] === null) return { ...choice, note: t('contacts.unreadable') };
    const sample = samples[at++] ?? '';
    const damaged = damagedLetters(sample);
    return {
      ...choice,
      sample,
      ...(damaged > 0 ? { note: t('contacts.damaged', { n: damaged }) } : {}),
    };
  });
}

function EncodingMenu({ directory: { id }, shown, isLocked, onChange }: BarProps) {
  const [isOpen, setOpen] = useState(false);
  const { encoding, is_guess: isGuess } = shown.reading;
  const likely = shownCandidates(shown.choices.encodings, encoding);
  const answers = useAlternatives(
    id,
    isOpen,
    likely.map((each) => ({ encoding: each })),
  );
  const all = [...likely, ...shown.choices.encodings.filter((each) => !likely.includes(each))];
  const choices = withSamples(
    all.map((each) => ({ id: each, label: encodingName(each) })),
    answers,
    samplesOf,
  ).map((each) => (each.id === encoding && isGuess ? { ...each, note: t('contacts.guessed') } : each));
  return (
    <ChoiceMenu
      label={t('contacts.encoding')}
      value={encoding}
      shown={encodingName(encoding ?? '')}
      choices={choices}
      isLocked={isLocked}
      isCode
      hasSearch
      onOpen={setOpen}
      onChoose={(next) => onChange({ reading: { encoding: next } })}
    />
  );
}

function SeparatorMenu({ directory: { id }, shown, isLocked, onChange }: BarProps) {
  const [isOpen, setOpen] = useState(false);
  const marks = shown.choices.separators.flatMap((each) => separators[each]?.mark ?? []);
  const answers = useAlternatives(
    id,
    isOpen,
    marks.map((separator) => ({ separator })),
  );
  const { separator } = shown.reading;
  return (
    <ChoiceMenu
      label={t('contacts.separator')}
      value={separator}
      shown={separator === null || separator === '\t' ? nameOfSeparator('\t') : separator}
      choices={withSamples(
        marks.map((mark) => ({ id: mark, label: nameOfSeparator(mark) })),
        answers,
        samplesOf,
      )}
      isLocked={isLocked}
      isCode
      onOpen={setOpen}
      onChoose={(next) => {
        const mark = separators[next]?.mark;
        if (mark !== undefined) onChange({ reading: { separator: mark } });
      }}
    />
  );
}

const maxSheets = 6;

function SheetMenu({ directory: { id }, shown, isLocked, onChange }: BarProps) {
  const [isOpen, setOpen] = useState(false);
  const { sheets } = shown.choices;
  const asked = sheets.slice(0, maxSheets).map(({ name }) => ({ sheet: name }));
  const answers = useAlternatives(id, isOpen, asked);
  return (
    <ChoiceMenu
      label={t('contacts.sheet')}
      value={shown.reading.sheet}
      shown={shown.reading.sheet ?? ''}
      choices={withSamples(
        sheets.map(({ name, is_hidden: isHidden }) => ({
          id: name,
          label: name,
          ...(isHidden ? { note: t('contacts.hidden') } : {}),
        })),
        answers,
        samplesOf,
      )}
      isLocked={isLocked}
      onOpen={setOpen}
      onChoose={(sheet) => onChange({ reading: { sheet } })}
    />
  );
}

const maxLinesBelow = 5;

function HeaderMenu({ shown, isLocked, onChange }: BarProps) {
  const { header_line: header } = shown.reading;
  const lines = [
    ...shown.above.map((cells, index) => ({ line: header - shown.above.length + index, cells })),
    { line: header, cells: shown.columns },
    ...shown.rows.slice(0, maxLinesBelow),
  ];
  return (
    <ChoiceMenu
      label={t('contacts.header')}
      value={String(header)}
      shown={t('contacts.line', { line: header })}
      choices={lines.map(({ line, cells }) => ({
        id: String(line),
        label: t('contacts.line', { line }),
        sample: cells.filter((each) => each !== '').join(' · '),
      }))}
      isLocked={isLocked}
      onChoose={(line) => onChange({ reading: { header_line: Number(line) } })}
    />
  );
}

function CountryMenu({ directory: { id, mapping }, isLocked, onChange }: BarProps) {
  const [isOpen, setOpen] = useState(false);
  const all = useMemo(() => countries(locale === 'ar' ? 'ar' : 'en'), []);
  const country = mapping.default_country;
  const likely = likelyCountries(navigator.languages, country);
  const hasPhone = mapping.phone !== null;
  const answers = useAlternatives(
    id,
    isOpen && hasPhone,
    likely.map((each) => ({ default_country: each })),
  );
  const nameOf = (code: string) => all.find((each) => each.code === code)?.name ?? code;
  const first = likely.map((code) => ({ id: code, label: nameOf(code) }));
  const others = all
    .filter(({ code }) => !likely.includes(code))
    .map(({ code, name }) => ({ id: code, label: name }));
  const sampled = hasPhone ? withSamples(first, answers, numbersOf) : first;
  return (
    <ChoiceMenu
      label={t('contacts.country')}
      value={country ?? 'none'}
      shown={country === null ? t('contacts.noCountryShort') : nameOf(country)}
      choices={[...sampled, { id: 'none', label: t('contacts.noCountry') }, ...others]}
      isLocked={isLocked}
      isCode
      hasSearch
      onOpen={setOpen}
      onChoose={(next) => onChange({ mapping: { default_country: next === 'none' ? null : next } })}
    />
  );
}

const duplicateRules = ['first', 'last', 'all'] as const;
const unassignedRules = ['call', 'leave_out'] as const;

function RuleMenus({ directory: { mapping }, isLocked, onChange }: BarProps) {
  return (
    <>
      <ChoiceMenu
        label={t('contacts.duplicates')}
        value={mapping.duplicates}
        shown={t(`contacts.duplicates.${mapping.duplicates}`)}
        choices={duplicateRules.map((rule) => ({ id: rule, label: t(`contacts.duplicates.${rule}`) }))}
        isLocked={isLocked}
        onChoose={(next) => {
          const duplicates = duplicateRules.find((each) => each === next);
          if (duplicates !== undefined) onChange({ mapping: { duplicates } });
        }}
      />
      <ChoiceMenu
        label={t('contacts.unassigned')}
        value={mapping.unassigned_numbers}
        shown={t(`contacts.unassigned.${mapping.unassigned_numbers}`)}
        choices={unassignedRules.map((rule) => ({ id: rule, label: t(`contacts.unassigned.${rule}`) }))}
        isLocked={isLocked}
        onChoose={(next) => {
          const rule = unassignedRules.find((each) => each === next);
          if (rule !== undefined) onChange({ mapping: { unassigned_numbers: rule } });
        }}
      />
    </>
  );
}
