import '../../styles/rooms.css';
import '../../styles/contacts.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, RefreshCw, Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type {
  DirectoryDetail,
  DirectoryPreview,
  UpdateDirectoryRequest,
} from '../../../../src/contract/directories.ts';
import { call } from '../../app/api.ts';
import { count, date } from '../../app/format.ts';
import { may, useMay } from '../../app/may.ts';
import { get, queries } from '../../app/query.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Failure, Loaded, NothingMatches, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { NotForRole } from '../../parts/why-not.tsx';
import { encodingName } from './candidates.ts';
import { ColumnHead } from './column-head.tsx';
import { DeleteDialog, RenameDialog, StageTag } from './directories.tsx';
import { FitMenu, FitNotes, useFit } from './fit.tsx';
import { Grid } from './grid.tsx';
import { directoryOf, preview, refreshDirectory, useDirectory } from './queries.ts';
import { ReadingBar } from './reading-bar.tsx';
import { addRepaired, RepairBar } from './repair.tsx';
import { ResultBar } from './result-bar.tsx';
import { earlierMapping, mappingRequest } from './earlier-mapping.ts';
import { type Mapping, mappingFor } from './roles.ts';
import { type GridRows, isFiltered, previewRows, useAllRows, useFilteredRows } from './rows.ts';
import type { DirectorySearch } from './search.ts';
import { sizeOf, stageOf, warningsBeside } from './stage.ts';
import { rateOf, type Sample, withSample } from './rate.ts';
import { Progress } from './uploads.tsx';

const route = getRouteApi('/contacts/$directoryId');
const one = '/directories/{directory_id}';
const pageKeys = { '/': t('contacts.search') };

/** One contact file: how it is read, what each column is for, and what is wrong with its rows. */
export function DirectoryPage() {
  const { directoryId } = route.useParams();
  const id = Number(directoryId);
  const query = useDirectory(id);
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'rename' | 'delete' | null>(null);
  const check = useAction();
  const directory = query.data;
  const run = (method: 'post' | 'delete') =>
    check.run(async () => {
      const { body } =
        method === 'post'
          ? await call('post', `${one}/check`, { params: { directory_id: id } })
          : await call('delete', `${one}/check`, { params: { directory_id: id } });
      queries.setQueryData(directoryOf(id).queryKey, body);
      await refreshDirectory(id);
    });
  return (
    <Page
      title={directory?.name ?? t('contacts.directory')}
      room={{ to: '/contacts', label: t('frame.contacts') }}
      isFlush
      needs={['calls:trigger']}
      actions={
        directory !== undefined && (
          <>
            <Menu
              label={t('contacts.actionsOf', { name: directory.name })}
              trigger={
                <IconButton icon={Ellipsis} label={t('contacts.actionsOf', { name: directory.name })} />
              }
              entries={[
                {
                  id: 'rename',
                  label: t('contacts.rename'),
                  needs: 'calls:trigger',
                  onAction: () => setOpened('rename'),
                },
                null,
                {
                  id: 'delete',
                  label: t('contacts.delete'),
                  isDanger: true,
                  needs: 'calls:trigger',
                  onAction: () => setOpened('delete'),
                },
              ]}
            />
            <CheckButtons directory={directory} isBusy={check.isBusy} onCheck={run} />
          </>
        )
      }
    >
      <Loaded query={query} rows={12}>
        {(data) => <Content key={data.id} directory={data} checkError={check.error} />}
      </Loaded>
      {directory !== undefined && opened === 'rename' && (
        <RenameDialog of={directory} onClose={() => setOpened(null)} />
      )}
      {directory !== undefined && opened === 'delete' && (
        <DeleteDialog
          of={directory}
          onClose={() => setOpened(null)}
          onDeleted={() => void navigate({ to: '/contacts' })}
        />
      )}
    </Page>
  );
}

/** The one thing to do next: check, cancel, or make a campaign. */
function CheckButtons({
  directory,
  isBusy,
  onCheck,
}: {
  directory: DirectoryDetail;
  isBusy: boolean;
  onCheck: (method: 'post' | 'delete') => void;
}) {
  const { id, state, totals, mapping } = directory;
  if (state === 'importing')
    return (
      <Button needs="calls:trigger" isDisabled={isBusy} onPress={() => onCheck('delete')}>
        {t('contacts.cancelCheck')}
      </Button>
    );
  const isReady = state === 'ready';
  return (
    <>
      <Button
        kind={isReady ? 'plain' : 'primary'}
        icon={RefreshCw}
        needs="calls:trigger"
        isDisabled={isBusy || mapping.phone === null}
        onPress={() => onCheck('post')}
      >
        {t(isReady ? 'contacts.checkAgain' : 'contacts.check')}
      </Button>
      {isReady && totals !== null && totals.ok > 0 && may('calls:trigger') && (
        <Link to="/campaigns/new" search={{ directory: id }} className="btn primary">
          <span className="btn-text">
            <span className="hide-s">{t('contacts.newCampaign', { shown: count(totals.ok) })}</span>
            <span className="only-s">{t('contacts.newCampaignShort')}</span>
          </span>
        </Link>
      )}
    </>
  );
}

function Content({ directory, checkError }: { directory: DirectoryDetail; checkError: unknown }) {
  const { id, state, totals, mapping, reading } = directory;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useAction();
  const seesRows = useMay()('people:read');
  const shown = useQuery({
    ...preview(id),
    enabled: seesRows,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const fit = useFit(id, search.agent);
  const [user] = directory.campaigns;
  const isReady = state === 'ready';
  const isLocked = state === 'importing' || user !== undefined || !may('calls:trigger');
  const set = (asked: UpdateDirectoryRequest | ((now: Mapping) => UpdateDirectoryRequest)) =>
    change.run(async () => {
      const now = queries.getQueryData(directoryOf(id).queryKey) ?? directory;
      const body = typeof asked === 'function' ? asked(now.mapping) : asked;
      const answer = await call('patch', one, { params: { directory_id: id }, body });
      queries.setQueryData(directoryOf(id).queryKey, answer.body);
      await refreshDirectory(id);
    }, asked);
  const narrow = (next: Partial<DirectorySearch>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  return (
    <div className="directory">
      <div className="directory-head">
        <div className="directory-file">
          <StageTag of={directory} />
          <span className="text-muted text-12 cut">
            {directory.file_name}, {sizeOf(directory.file_size)}
            {directory.imported_at !== null && isReady && (
              <>
                , {t('contacts.checkedAt')} <When at={directory.imported_at} />
              </>
            )}
          </span>
          <span className="grow" />
          <FitMenu agentId={search.agent} fit={fit.data} onAgent={(agent) => narrow({ agent })} />
        </div>
        <div className="reading-bar">
          {shown.data !== undefined && (
            <ReadingBar directory={directory} shown={shown.data} isLocked={isLocked} onChange={set} />
          )}
        </div>
      </div>
      <div className="directory-notes">
        <Refusal error={change.error ?? checkError} />
        {state === 'failed' && directory.fault !== null && (
          <Sentence is="bad">
            {directory.fault}. {t('contacts.tryCheck')}
          </Sentence>
        )}
        {state === 'importing' && <CheckProgress directory={directory} />}
        {state !== 'importing' && stageOf(directory) === 'choose_phone' && (
          <Sentence is="warn">{t('contacts.choosePhone')}</Sentence>
        )}
        {reading.is_guess && reading.encoding !== null && (
          <Sentence is="warn">
            {t('contacts.isGuess', { encoding: encodingName(reading.encoding) })}{' '}
            <Button
              size="xs"
              needs="calls:trigger"
              isDisabled={change.isBusy || state === 'importing'}
              onPress={() => set({ reading: { encoding: reading.encoding ?? '' } })}
            >
              {t('contacts.confirmEncoding', { encoding: encodingName(reading.encoding) })}
            </Button>
          </Sentence>
        )}
        {user !== undefined && (
          <Sentence is="machine">
            {t('contacts.isUsed')}{' '}
            <Link to="/campaigns/$id" params={{ id: String(user.id) }} className="link">
              {user.name}
            </Link>
          </Sentence>
        )}
        <SameFile of={directory} />
        {directory.repaired_from !== null && isReady && (
          <RepairOf id={directory.repaired_from} repairedId={id} />
        )}
        {!isReady &&
          warningsBeside(shown.data?.warnings ?? [], reading.is_guess).map((each) => (
            <Sentence key={each} is="warn">
              {each}.
            </Sentence>
          ))}
        {state === 'uploaded' && !isLocked && shown.data !== undefined && (
          <EarlierMapping
            directory={directory}
            columns={shown.data.columns}
            isBusy={change.isBusy}
            onUse={(next) => set({ mapping: next })}
          />
        )}
        <FitNotes fit={fit.data} error={fit.error} />
      </div>
      {isReady && totals !== null && (
        <div className="directory-results">
          <ResultBar totals={totals} search={search} onFilter={seesRows ? narrow : null} />
          {seesRows && (
            <RowSearch
              key={search.q === undefined ? 'none' : 'some'}
              q={search.q ?? ''}
              onSearch={(q) => narrow({ q })}
            />
          )}
        </div>
      )}
      {seesRows ? (
        <Rows
          directory={directory}
          shown={shown.data}
          previewError={shown.error}
          onRetry={() => void shown.refetch()}
          isLocked={isLocked}
          onNarrow={narrow}
          onClear={() => narrow({ state: undefined, finding: undefined, q: undefined })}
          onShowOnly={(finding) => narrow({ finding, state: undefined })}
          onHeader={(line) => set({ reading: { header_line: line } })}
          head={(column) => (
            <ColumnHead
              column={column}
              mapping={mapping}
              filled={filledShare(directory, column)}
              isLocked={isLocked}
              onRole={(role) => set((now) => ({ mapping: mappingFor(column, role, now) }))}
            />
          )}
        />
      ) : (
        <NotForRole needs="people:read" />
      )}
      {isReady && <RepairBar directory={directory} />}
    </div>
  );
}

/** How far the check is, and how fast it goes. */
function CheckProgress({
  directory: { progress_percentage: percentage, totals },
}: {
  directory: DirectoryDetail;
}) {
  const rows = totals?.rows ?? 0;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => setSamples((now) => withSample(now, { rows, at: performance.now() })), [rows]);
  const rate = rateOf(samples);
  return (
    <Progress
      label={
        rows === 0
          ? t('contacts.checkGoesOn')
          : t('contacts.checkRows', {
              rows: count(rows),
              rate: rate === null ? 'none' : count(rate),
            })
      }
      share={percentage / 100}
    />
  );
}

/** Offers what the columns of an earlier file with the same names were used for. */
function EarlierMapping({
  directory,
  columns,
  isBusy,
  onUse,
}: {
  directory: DirectoryDetail;
  columns: readonly string[];
  isBusy: boolean;
  onUse: (mapping: NonNullable<UpdateDirectoryRequest['mapping']>) => void;
}) {
  const { data } = useQuery(get('/directories', { query: { limit: 100 } }));
  const earlier = earlierMapping({ directory, columns }, data?.directories ?? []);
  if (earlier === null) return null;
  return (
    <Sentence is="tool">
      {t('contacts.sameColumns', { name: earlier.name })}{' '}
      <Button
        size="xs"
        needs="calls:trigger"
        isDisabled={isBusy}
        onPress={() => onUse(mappingRequest(earlier.mapping))}
      >
        {t('contacts.useMapping')}
      </Button>
    </Sentence>
  );
}

/** Share of the rows that will be called with a text in a column, if the check has counted it. */
function filledShare({ state, totals }: DirectoryDetail, column: string): number | null {
  if (state !== 'ready' || totals === null || totals.ok === 0) return null;
  return 1 - (totals.empty_cells[column] ?? 0) / totals.ok;
}

function Rows({
  directory,
  shown,
  previewError,
  onRetry,
  isLocked,
  onNarrow,
  onClear,
  onShowOnly,
  onHeader,
  head,
}: {
  directory: DirectoryDetail;
  shown: DirectoryPreview | undefined;
  previewError: unknown;
  onRetry: () => void;
  isLocked: boolean;
  onNarrow: (change: Partial<DirectorySearch>) => void;
  onClear: () => void;
  onShowOnly: (code: string) => void;
  onHeader: (line: number) => void;
  head: (column: string) => ReactNode;
}) {
  const search = route.useSearch();
  const { id, totals, mapping, name } = directory;
  const isReady = directory.state === 'ready';
  const isNarrowed = isFiltered(search);
  /** A row to show when no filter hides it any more. */
  const [wanted, setWanted] = useState<number | null>(null);
  const all = useAllRows({ directory, isOn: isReady && !isNarrowed });
  const filtered = useFilteredRows({ directory, search, isOn: isReady && isNarrowed });
  const common = { label: t('contacts.rowsOf', { name }), phone: mapping.phone, head };
  if (!isReady) {
    if (shown === undefined)
      return previewError === null ? (
        <Skeleton rows={12} />
      ) : (
        <Failure error={previewError} onRetry={onRetry} />
      );
    return (
      <Grid
        {...common}
        rows={rowsOf(shown)}
        columns={shown.columns}
        numberLabel={t('contacts.lineHead')}
        counts={null}
        onNumber={isLocked ? undefined : onHeader}
      />
    );
  }
  const rows = isNarrowed ? filtered : all;
  if (rows.error !== null) return <Failure error={rows.error} onRetry={rows.retry} />;
  if (isNarrowed && rows.isPending) return <Skeleton rows={12} />;
  if (isNarrowed && rows.count === 0)
    return (
      <NothingMatches
        filters={[
          search.state === undefined
            ? null
            : { words: t(`contacts.row.${search.state}`), remove: () => onNarrow({ state: undefined }) },
          search.finding === undefined
            ? null
            : {
                words: t(`contacts.finding.${search.finding}`),
                remove: () => onNarrow({ finding: undefined }),
              },
          search.q === undefined
            ? null
            : { words: `“${search.q}”`, remove: () => onNarrow({ q: undefined }) },
        ]}
        onClear={onClear}
      />
    );
  return (
    <Grid
      // Another filter begins at its first row.
      key={JSON.stringify([search.state, search.finding, search.q, directory.import_number])}
      {...common}
      rows={rows}
      begin={isNarrowed ? null : wanted}
      onElsewhere={
        isNarrowed
          ? (number) => {
              setWanted(number);
              onClear();
            }
          : undefined
      }
      columns={directory.columns}
      numberLabel={t('contacts.rowHead')}
      counts={totals?.findings ?? null}
      onShowOnly={isNarrowed ? undefined : onShowOnly}
      nextWith={async (code, after) => {
        const { body } = await call('get', `${one}/rows`, {
          params: { directory_id: id },
          query: { finding: code, cursor: String(after), limit: 1 },
        });
        return body.items[0]?.row_number ?? null;
      }}
    />
  );
}

const nothing = () => undefined;

function rowsOf(shown: DirectoryPreview): GridRows {
  const lines = previewRows(shown);
  return {
    count: lines.length,
    rowAt: (index) => lines[index],
    onView: nothing,
    error: null,
    isPending: false,
    retry: nothing,
  };
}

function RowSearch({ q, onSearch }: { q: string; onSearch: (q: string | undefined) => void }) {
  const [text, setText] = useState(q);
  const input = useRef<HTMLInputElement>(null);
  useKeys(pageKeys, { '/': () => input.current?.focus() });
  return (
    <form
      role="search"
      className="find input"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim() === '' ? undefined : text.trim());
      }}
    >
      <Search className="i" aria-hidden size={14} strokeWidth={1.5} />
      <input
        ref={input}
        aria-label={t('contacts.search')}
        placeholder={t('contacts.search')}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '' && q !== '') onSearch(undefined);
        }}
      />
      <kbd className="hide-s">/</kbd>
    </form>
  );
}

function Sentence({ is, children }: { is: 'bad' | 'warn' | 'machine' | 'tool'; children: ReactNode }) {
  return <div className={`sentence is-${is}`}>{children}</div>;
}

/** The same content was uploaded before. */
function SameFile({ of: { same_file: same } }: { of: DirectoryDetail }) {
  const [latest] = same;
  if (latest === undefined) return null;
  return (
    <Sentence is="machine">
      {t('contacts.sameFile', { date: date(new Date(latest.created_at)) })}{' '}
      <Link
        to="/contacts/$directoryId"
        params={{ directoryId: String(latest.directory_id) }}
        className="link"
      >
        {latest.name}
      </Link>
    </Sentence>
  );
}

/** A repaired error file that was uploaded by itself. Its rows can be added at any time, also again. */
function RepairOf({ id, repairedId }: { id: number; repairedId: number }) {
  const { data: origin } = useQuery(get(one, { params: { directory_id: id } }));
  const { run, error, isBusy } = useAction();
  if (origin === undefined) return null;
  return (
    <>
      <Sentence is="machine">
        {t('contacts.repairs')}{' '}
        <Link to="/contacts/$directoryId" params={{ directoryId: String(id) }} className="link">
          {origin.name}
        </Link>{' '}
        <Button
          size="xs"
          needs="calls:trigger"
          isDisabled={isBusy}
          onPress={() => run(async () => toast(await addRepaired(id, repairedId)))}
        >
          {t('contacts.addRepaired')}
        </Button>
      </Sentence>
      <Refusal error={error} />
    </>
  );
}
