import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { get } from './query.ts';
import type { Entry } from './rooms.ts';
import { t } from './words.ts';

interface Target {
  id: string;
  label: string;
  note: string;
  to: string;
}

/** Finds a page or an agent by some letters of its name. */
export function Palette({ rooms, onClose }: { rooms: readonly Entry[]; onClose: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { data: agents } = useQuery(get('/workflow/fetch', {}));
  const targets = useMemo<Target[]>(
    () => [
      ...rooms.map(({ to, label }) => ({ id: to, label, to, note: t('palette.page') })),
      ...(agents ?? []).map(({ id, name }) => ({
        id: `agent ${id}`,
        label: name,
        to: `/agents/${id}`,
        note: t('palette.agent'),
      })),
    ],
    [rooms, agents],
  );
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className="scrim is-top">
      <Modal className="dialog palette">
        <Dialog aria-label={t('palette.title')} className="flex min-h-0 flex-col outline-none">
          <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
            <SearchField aria-label={t('palette.title')} autoFocus className="palette-field">
              <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
              <Input placeholder={t('palette.placeholder')} />
            </SearchField>
            <Menu
              aria-label={t('palette.title')}
              items={targets}
              className="palette-list"
              renderEmptyState={() => <p className="text-muted p-4">{t('palette.nothing')}</p>}
              onAction={(key) => {
                const target = targets.find(({ id }) => id === key);
                onClose();
                if (target !== undefined) void navigate({ to: target.to });
              }}
            >
              {({ id, label, note }) => (
                <MenuItem id={id} textValue={label} className="item">
                  <span className="cut flex-1">{label}</span>
                  <span className="text-hint text-12">{note}</span>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
