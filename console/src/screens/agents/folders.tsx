import { Link } from '@tanstack/react-router';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Form } from 'react-aria-components';
import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';
import type { Folder } from '../../../../src/contract/folders.ts';
import { ApiError, call } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Count } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { type AgentsSearch, isInFolder } from './filter.ts';

export type FolderTask =
  | { kind: 'create'; done?: (folder: Folder) => void }
  | { kind: 'rename' | 'delete'; folder: Folder };

/** The folders as links, so that each has an address. */
export function FolderTabs({
  folders,
  agents,
  selected,
  onTask,
}: {
  folders: readonly Folder[];
  agents: readonly WorkflowOverview[];
  selected: string | undefined;
  onTask: (task: FolderTask) => void;
}) {
  const numberIn = (folder: string | undefined) => agents.filter((each) => isInFolder(each, folder)).length;
  const here = folders.find(({ id }) => String(id) === selected);
  const tabs = [
    { id: undefined, name: t('agents.all') },
    ...folders.map(({ id, name }) => ({ id: String(id), name })),
    ...(numberIn('archived') > 0 || selected === 'archived'
      ? [{ id: 'archived', name: t('agents.archivedTab') }]
      : []),
  ];
  return (
    <div className="agents-folders">
      <nav aria-label={t('agents.folders')} className="flex gap-5">
        {tabs.map(({ id, name }) => (
          <Link
            key={id ?? 'all'}
            to="/agents"
            search={(before) => ({ ...(before as AgentsSearch), folder: id })}
            activeProps={{}}
            className="tab"
            aria-current={id === selected ? 'page' : undefined}
          >
            {name}
            <Count of={numberIn(id)} />
          </Link>
        ))}
      </nav>
      {here !== undefined && (
        <Menu
          label={t('agents.folderActions', { name: here.name })}
          trigger={
            <AriaButton
              className="btn ghost icon"
              aria-label={t('agents.folderActions', { name: here.name })}
            >
              <Ellipsis className="i" aria-hidden size={16} strokeWidth={1.5} />
            </AriaButton>
          }
          entries={[
            {
              id: 'rename',
              needs: 'agents:write',
              label: t('agents.folderRename'),
              onAction: () => onTask({ kind: 'rename', folder: here }),
            },
            {
              id: 'delete',
              needs: 'agents:write',
              label: t('agents.folderDelete'),
              isDanger: true,
              onAction: () => onTask({ kind: 'delete', folder: here }),
            },
          ]}
        />
      )}
      <IconButton
        icon={Plus}
        label={t('agents.folderNew')}
        needs="agents:write"
        onPress={() => onTask({ kind: 'create' })}
      />
    </div>
  );
}

/** Asks for the name of a folder, or whether to delete it. */
export function FolderDialog({
  task,
  agents,
  onClose,
  onDone,
}: {
  task: FolderTask;
  /** How many agents are in it. */
  agents: number;
  onClose: () => void;
  onDone: () => void;
}) {
  const [name, setName] = useState(task.kind === 'rename' ? task.folder.name : '');
  const [fault, setFault] = useState<string | undefined>();
  const send = async () => {
    try {
      if (task.kind !== 'delete' && name.trim() === '') return setFault(t('agents.folderNameMissing'));
      if (task.kind === 'create') {
        const { body } = await call('post', '/folder/', { body: { name } });
        task.done?.(body);
      } else if (task.kind === 'rename')
        await call('put', '/folder/{folder_id}', { params: { folder_id: task.folder.id }, body: { name } });
      else await call('delete', '/folder/{folder_id}', { params: { folder_id: task.folder.id } });
      onDone();
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : t('common.unexpected'));
    }
  };
  const folder = task.kind === 'create' ? '' : task.folder.name;
  return (
    <Dialog title={t(`agents.folderTitle.${task.kind}`, { name: folder })} isOpen onClose={onClose}>
      <Form
        className="grid gap-4"
        // A refusal is no fault of the field: the same may be sent again.
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {task.kind === 'delete' ? (
          <p>{fault ?? t('agents.folderDeleteWhy', { n: agents })}</p>
        ) : (
          <TextField
            label={t('agents.folderName')}
            value={name}
            onChange={setName}
            error={fault}
            maxLength={100}
            hasFocus
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" kind={task.kind === 'delete' ? 'danger' : 'primary'}>
            {t(`agents.folderDo.${task.kind}`)}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
