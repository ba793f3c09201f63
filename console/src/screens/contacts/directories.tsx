import '../../styles/rooms.css';
import '../../styles/contacts.css';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import {
  AlertTriangle,
  Ban,
  CheckCircle2,
  CircleDashed,
  Ellipsis,
  LoaderCircle,
  OctagonAlert,
} from 'lucide-react';
import { useState } from 'react';
import type { Directory } from '../../../../src/contract/directories.ts';
import { call } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { Confirm } from '../../parts/action.tsx';
import { type Meaning, Tag } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { FindField } from '../../parts/find-field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { wordsOf } from '../../parts/form-values.ts';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Failure, NothingMatches, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { directoriesWith, refreshDirectory } from './queries.ts';
import { leftOut, sizeOf, type Stage, stageOf } from './stage.ts';
import { ChooseFile, FileDrop, UploadState, useUpload } from './uploads.tsx';

const route = getRouteApi('/contacts');

/** Contact files: what is in them, whether they are checked, and who calls them. */
export function DirectoriesPage() {
  const navigate = useNavigate();
  const { q = '' } = route.useSearch();
  const query = useInfiniteQuery({ ...directoriesWith(q), placeholderData: keepPreviousData });
  const uploading = useUpload();
  const rows = query.data?.pages.flatMap((page) => page.directories);
  const take = (file: File) => {
    const send = async () => {
      const made = await uploading.start(file);
      if (made === null) return;
      await refreshDirectory(made.id);
      await navigate({ to: '/contacts/$directoryId', params: { directoryId: String(made.id) } });
    };
    if (!uploading.isBusy) void send();
  };
  const find = (next: string) =>
    void navigate({ to: '/contacts', search: next === '' ? {} : { q: next }, replace: true });
  return (
    <Page
      title={t('frame.contacts')}
      isFlush
      needs={['calls:trigger', 'people:read']}
      actions={
        <>
          <Link to="/contacts/blocked" className="btn ghost">
            <Ban className="i" aria-hidden size={16} strokeWidth={1.5} />
            <span className="btn-text">{t('contacts.blocked')}</span>
          </Link>
          {rows !== undefined && (rows.length > 0 || q !== '') && (
            <ChooseFile kind="primary" isDisabled={uploading.isBusy} onFile={take}>
              {t('contacts.upload')}
            </ChooseFile>
          )}
        </>
      }
    >
      <FileDrop label={t('contacts.dropAnywhere')} className="contacts-drop" onFile={take}>
        <UploadState of={uploading} onAgain={take} />
        {rows === undefined ? (
          query.isError ? (
            <Failure error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Skeleton />
          )
        ) : rows.length === 0 && q === '' ? (
          <NoDirectories isBusy={uploading.isBusy} onFile={take} />
        ) : (
          <>
            <div className="filter-line">
              <FindField label={t('contacts.findDirectory')} q={q} onFind={find} />
            </div>
            {rows.length === 0 ? <NothingMatches onClear={() => find('')} /> : <Directories rows={rows} />}
            {query.hasNextPage && (
              <div className="p-4">
                <Button isDisabled={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                  {t('contacts.more')}
                </Button>
              </div>
            )}
          </>
        )}
      </FileDrop>
    </Page>
  );
}

/** Says what a file must contain. */
function NoDirectories({ isBusy, onFile }: { isBusy: boolean; onFile: (file: File) => void }) {
  return (
    <div className="contacts-first">
      <h2 className="h2">{t('contacts.none')}</h2>
      <p className="text-muted">{t('contacts.noneWhy')}</p>
      <div className="drop">
        <span>{t('contacts.drop')}</span>
        <ChooseFile kind="primary" isDisabled={isBusy} onFile={onFile}>
          {t('contacts.choose')}
        </ChooseFile>
      </div>
      <table className="sample" aria-label={t('contacts.sample')}>
        <thead>
          <tr>
            <th scope="col">phone_number</th>
            <th scope="col">customer_id</th>
            <th scope="col">first_name</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>+1 202 555 0143</td>
            <td>C-1042</td>
            <td>Maria</td>
          </tr>
        </tbody>
      </table>
      <ul className="text-muted">
        {['kinds', 'phone', 'variables', 'ugly'].map((each) => (
          <li key={each}>{t(`contacts.must.${each}`)}</li>
        ))}
      </ul>
    </div>
  );
}

function Directories({ rows }: { rows: readonly Directory[] }) {
  const [opened, setOpened] = useState<{ kind: 'rename' | 'delete'; of: Directory } | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <DataList
        label={t('contacts.directories')}
        isTall
        className="directories"
        rows={rows}
        idOf={({ id }) => String(id)}
        linkOf={({ id }) => ({ to: '/contacts/$directoryId', params: { directoryId: String(id) } })}
        columns={[
          {
            id: 'name',
            label: t('contacts.name'),
            cell: ({ name, file_name: file, file_size: bytes }) => (
              <>
                <span className="cut block" title={name}>
                  {name}
                </span>
                <span className="text-hint text-12 cut block font-normal">
                  {file === name ? sizeOf(bytes) : `${file}, ${sizeOf(bytes)}`}
                </span>
              </>
            ),
          },
          {
            id: 'rows',
            label: t('contacts.rows'),
            isNumber: true,
            isWide: true,
            cell: ({ totals }) => figure(totals?.rows),
          },
          {
            id: 'ok',
            label: t('contacts.willBeCalled'),
            isNumber: true,
            isWide: true,
            cell: ({ totals }) => figure(totals?.ok),
          },
          {
            id: 'findings',
            label: t('contacts.leftOut'),
            isNumber: true,
            isWide: true,
            cell: ({ totals }) =>
              totals === null ? (
                figure(undefined)
              ) : (
                <>
                  <span className="block">{count(leftOut(totals))}</span>
                  {totals.warned > 0 && (
                    <span className="text-hint text-12 block">
                      {t('contacts.warnings', { n: totals.warned, shown: count(totals.warned) })}
                    </span>
                  )}
                </>
              ),
          },
          { id: 'state', label: t('contacts.state'), cell: (row) => <StageTag of={row} /> },
          {
            id: 'campaigns',
            label: t('contacts.campaigns'),
            isWide: true,
            cell: ({ campaigns }) => <UsedBy campaigns={campaigns} />,
          },
          {
            id: 'uploaded',
            label: t('contacts.uploaded'),
            isWide: true,
            cell: ({ created_at: at }) => (
              <span className="text-muted">
                <When at={at} />
              </span>
            ),
          },
          {
            id: 'menu',
            label: t('common.more'),
            isLabelHidden: true,
            width: '52px',
            cell: (row) => (
              <Menu
                label={t('contacts.actionsOf', { name: row.name })}
                trigger={<IconButton icon={Ellipsis} label={t('contacts.actionsOf', { name: row.name })} />}
                entries={[
                  {
                    id: 'rename',
                    label: t('contacts.rename'),
                    needs: 'calls:trigger',
                    onAction: () => setOpened({ kind: 'rename', of: row }),
                  },
                  null,
                  {
                    id: 'delete',
                    label: t('contacts.delete'),
                    isDanger: true,
                    needs: 'calls:trigger',
                    onAction: () => setOpened({ kind: 'delete', of: row }),
                  },
                ]}
              />
            ),
          },
        ]}
      />
      {opened?.kind === 'rename' && <RenameDialog of={opened.of} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteDialog of={opened.of} onClose={close} />}
    </>
  );
}

const figure = (value: number | undefined) =>
  value === undefined ? <span className="text-hint">–</span> : count(value);

function UsedBy({ campaigns }: Pick<Directory, 'campaigns'>) {
  const [first, ...others] = campaigns;
  if (first === undefined) return <span className="text-hint">–</span>;
  return (
    <span className="used-by">
      <Link to="/campaigns/$id" params={{ id: String(first.id) }} className="link cut">
        {first.name}
      </Link>
      {others.length > 0 && (
        <span className="text-muted" title={others.map(({ name }) => name).join(', ')}>
          +{others.length}
        </span>
      )}
    </span>
  );
}

const looks: Record<Stage, { is: Meaning; icon: typeof Ban }> = {
  choose_phone: { is: 'warn', icon: AlertTriangle },
  confirm_encoding: { is: 'warn', icon: AlertTriangle },
  to_check: { is: 'machine', icon: CircleDashed },
  checking: { is: 'tool', icon: LoaderCircle },
  checked: { is: 'ok', icon: CheckCircle2 },
  failed: { is: 'bad', icon: OctagonAlert },
};

/** Where a directory stands: shape, word and color. */
export function StageTag({ of }: { of: Directory }) {
  const stage = stageOf(of);
  const { is, icon } = looks[stage];
  return (
    <span {...(of.fault === null ? {} : { title: of.fault })}>
      <Tag is={is} icon={icon}>
        {t(`contacts.stage.${stage}`, { percent: of.progress_percentage })}
      </Tag>
    </span>
  );
}

export function RenameDialog({ of: { id, name }, onClose }: { of: Directory; onClose: () => void }) {
  return (
    <FormDialog
      title={t('contacts.renameTitle', { name })}
      fields={[{ name: 'name', label: t('contacts.name'), kind: 'text', isRequired: true }]}
      initial={{ name }}
      onClose={onClose}
      onSave={async (values) => {
        await call('patch', '/directories/{directory_id}', {
          params: { directory_id: id },
          body: { name: wordsOf(values, 'name').trim() },
        });
        await refreshDirectory(id);
      }}
    />
  );
}

export function DeleteDialog({
  of: { id, name, totals },
  onClose,
  onDeleted,
}: {
  of: Directory;
  onClose: () => void;
  onDeleted?: () => void;
}) {
  return (
    <Confirm
      title={t('contacts.deleteTitle', { name })}
      button={t('contacts.delete')}
      onClose={onClose}
      onConfirm={async () => {
        await call('delete', '/directories/{directory_id}', { params: { directory_id: id } });
        toast(t('contacts.deleted', { name }));
        onDeleted?.();
        await refreshDirectory(id);
      }}
    >
      {t('contacts.deleteWhy', { n: totals?.rows ?? 0, shown: count(totals?.rows ?? 0) })}
    </Confirm>
  );
}
