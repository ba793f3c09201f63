import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { IconButton } from '../../parts/button.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { contextOf, firstLineOf } from './contact-values.ts';

type Mapping = AnswerOf<'get', '/directories/{directory_id}'>['mapping'];

/** Rows to look back for the contact before one, because some are left out. */
const backRows = 50;

/** The contact at a row of the file, or the next one that is called; with `back`, the one before. */
export function useContact(directory: { id: number; mapping: Mapping } | undefined) {
  const [wanted, setWanted] = useState<{ row: number; isBack: boolean }>({ row: 1, isBack: false });
  const { row, isBack } = wanted;
  const input = {
    params: { directory_id: directory?.id ?? 0 },
    query: isBack
      ? { state: 'ok' as const, cursor: String(Math.max(0, row - backRows)), limit: backRows }
      : { state: 'ok' as const, cursor: String(row - 1), limit: 1 },
  };
  const query = useQuery({
    ...get('/directories/{directory_id}/rows', input),
    enabled: directory !== undefined,
    // A row stays until the next one is there, but never beside another file.
    placeholderData: (before, query) =>
      (query?.queryKey[1] as typeof input | undefined)?.params.directory_id === directory?.id
        ? before
        : undefined,
  });
  const items = query.data?.items ?? [];
  const contact = isBack ? (items.findLast(({ row_number: n }) => n <= row) ?? items[0]) : items[0];
  return {
    contact,
    isEmpty: query.data !== undefined && !query.isPlaceholderData && contact === undefined,
    chosen:
      contact === undefined || directory === undefined || query.data === undefined
        ? null
        : { row: contact.row_number, values: contextOf(query.data.columns, directory.mapping, contact) },
    show: (next: number) => setWanted({ row: Math.max(1, next), isBack: false }),
    step: (by: 1 | -1) => {
      const at = contact?.row_number ?? row;
      setWanted({ row: Math.max(1, at + by), isBack: by < 0 });
    },
  };
}

/** The first line of the published version for any contact of the file. */
export function FirstLine({
  agentId,
  version,
  contact,
}: {
  agentId: number;
  version: number;
  contact: ReturnType<typeof useContact>;
}) {
  const found = useQuery(
    get('/workflow/{workflow_id}/versions/{version_number}', {
      params: { workflow_id: agentId, version_number: version },
    }),
  );
  const { chosen } = contact;
  const line =
    found.data === undefined || chosen === null
      ? null
      : firstLineOf(found.data.workflow_json ?? {}, chosen.values);
  return (
    <div className="first-line" role="group" aria-label={t('campaigns.first.title')}>
      <p className="text-ink" aria-live="polite">
        {contact.isEmpty
          ? t('campaigns.first.none')
          : line === null
            ? '…'
            : line.kind === 'text'
              ? `“${line.text}”`
              : t(`campaigns.first.${line.kind}`)}
      </p>
      <span className="row">
        <span className="text-12 text-muted" aria-hidden>
          {t('campaigns.first.row')}
        </span>
        <NumberField
          label={t('campaigns.first.row')}
          isLabelHidden
          value={chosen?.row ?? null}
          minValue={1}
          onChange={(row) => row !== null && contact.show(row)}
          className="first-row"
        />
        <IconButton
          size="xs"
          icon={ChevronLeft}
          label={t('campaigns.first.previous')}
          isDisabled={chosen?.row === 1}
          onPress={() => contact.step(-1)}
        />
        <IconButton
          size="xs"
          icon={ChevronRight}
          label={t('campaigns.first.next')}
          onPress={() => contact.step(1)}
        />
      </span>
    </div>
  );
}
