import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
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
import { may } from './may.ts';
import { get } from './query.ts';
import type { Entry } from './rooms.ts';
import { t } from './words.ts';

interface Target {
  id: string;
  label: string;
  note: string;
  run: () => void;
}

/** Of campaigns and of contact files. */
const maxFound = 50;

/**
 * Finds a page, something to do, an agent, a campaign or a contact file by some letters of its name, and calls by their own
 * number or by that of the person.
 */
export function Palette({
  rooms,
  onCallMe,
  onClose,
}: {
  rooms: readonly Entry[];
  onCallMe: () => void;
  onClose: () => void;
}) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { data: agents } = useQuery(get('/workflow/fetch', {}));
  const asked = useDeferredValue(text.trim());
  const search = asked === '' ? {} : { search: asked };
  const { data: campaigns } = useQuery({
    ...get('/campaign/', { query: { ...search, limit: maxFound, logs: 0 } }),
    placeholderData: keepPreviousData,
  });
  const { data: files } = useQuery({
    ...get('/directories', { query: { ...search, limit: maxFound } }),
    enabled: may('people:read'),
    placeholderData: keepPreviousData,
  });
  const { data: carriers } = useQuery(get('/organizations/telephony-configs', {}));
  const isCarried = carriers?.configurations.some(({ is_ready_for_outbound: is }) => is) === true;
  const targets = useMemo<Target[]>(() => {
    const open = (to: string) => () => void navigate({ to });
    const actions = [
      { id: 'newAgent', isOffered: may('agents:write'), run: open('/agents/new') },
      { id: 'newCampaign', isOffered: may('calls:trigger'), run: open('/campaigns/new') },
      { id: 'upload', isOffered: may('calls:trigger'), run: open('/contacts') },
      { id: 'callMe', isOffered: may('calls:trigger') && isCarried, run: onCallMe },
    ];
    const calls = (id: string, q: string) => ({
      id,
      label: t(`palette.${id}`, { text }),
      run: () => void navigate({ to: '/calls', search: { q } }),
      note: t('palette.calls'),
    });
    const digits = text.replaceAll(/[\s().-]/g, '');
    return [
      ...(/^\d{1,10}$/.test(text.trim()) ? [calls('call', `call:${text.trim()}`)] : []),
      ...(may('people:read') && /^\+?\d{7,15}$/.test(digits) ? [calls('callsWith', `number:${digits}`)] : []),
      ...rooms.map(({ to, label }) => ({ id: to, label, run: open(to), note: t('palette.page') })),
      ...actions.flatMap(({ id, isOffered, run }) =>
        isOffered ? [{ id, label: t(`palette.${id}`), run, note: t('palette.action') }] : [],
      ),
      ...(agents ?? []).map(({ id, name }) => ({
        id: `agent ${id}`,
        label: name,
        run: open(`/agents/${id}`),
        note: t('palette.agent'),
      })),
      ...(campaigns?.campaigns ?? []).map(({ id, name }) => ({
        id: `campaign ${id}`,
        label: name,
        run: open(`/campaigns/${id}`),
        note: t('palette.campaign'),
      })),
      ...(files?.directories ?? []).map(({ id, name }) => ({
        id: `file ${id}`,
        label: name,
        run: open(`/contacts/${id}`),
        note: t('palette.file'),
      })),
    ];
  }, [rooms, agents, campaigns, files, text, isCarried, navigate, onCallMe]);
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className="scrim is-top">
      <Modal className="dialog palette">
        <Dialog aria-label={t('palette.title')} className="flex min-h-0 flex-col outline-none">
          <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
            <SearchField aria-label={t('palette.title')} autoFocus className="palette-field">
              <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
              <Input placeholder={t('palette.placeholder')} />
            </SearchField>
            {/* A region that scrolls is reached by keyboard. */}
            <div className="palette-list" tabIndex={0} role="region" aria-label={t('palette.found')}>
              <Menu
                aria-label={t('palette.title')}
                items={targets}
                renderEmptyState={() => <p className="text-muted p-4">{t('palette.nothing')}</p>}
                onAction={(key) => {
                  const target = targets.find(({ id }) => id === key);
                  onClose();
                  target?.run();
                }}
              >
                {({ id, label, note }) => (
                  <MenuItem id={id} textValue={label} className="item">
                    <span className="cut flex-1">{label}</span>
                    <span className="text-hint text-12">{note}</span>
                  </MenuItem>
                )}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
