import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSavedViews } from './saved-views.ts';

export function Views({ q, onChoose }: { q: string; onChoose: (q: string) => void }) {
  const { views, save, remove } = useSavedViews();
  const [name, setName] = useState<string>();
  const current = views.find((view) => view.q === q);
  return (
    <>
      <Menu
        label={t('calls.views')}
        trigger={
          <AriaButton className="btn ghost">
            <Bookmark className="i" aria-hidden size={16} strokeWidth={1.5} />
            {current?.name ?? t(q === '' ? 'calls.all' : 'calls.notSaved')}
          </AriaButton>
        }
        entries={[
          {
            id: 'all',
            label: t('calls.all'),
            ...(q === '' ? { note: '✓' } : {}),
            onAction: () => onChoose(''),
          },
          ...views.map((view, index) => ({
            id: `view-${index}`,
            label: view.name,
            ...(view === current ? { note: '✓' } : {}),
            onAction: () => onChoose(view.q),
          })),
          null,
          {
            id: 'save',
            label: t('calls.saveView'),
            isDisabled: q === '' || current !== undefined,
            onAction: () => setName(''),
          },
          ...(current === undefined
            ? []
            : [
                {
                  id: 'remove',
                  label: t('calls.removeView', { name: current.name }),
                  isDanger: true,
                  onAction: () => {
                    remove(current.name);
                    toast(t('calls.viewRemoved', { name: current.name }), () => save(current));
                  },
                },
              ]),
        ]}
      />
      <Dialog
        title={t('calls.saveView')}
        isOpen={name !== undefined}
        onClose={() => setName(undefined)}
        footer={
          <>
            <Button onPress={() => setName(undefined)}>{t('common.cancel')}</Button>
            <Button
              kind="primary"
              isDisabled={(name ?? '').trim() === ''}
              onPress={() => {
                save({ name: (name ?? '').trim(), q });
                setName(undefined);
              }}
            >
              {t('common.save')}
            </Button>
          </>
        }
      >
        <TextField
          label={t('calls.viewName')}
          hint={t('calls.viewHint')}
          value={name ?? ''}
          onChange={setName}
          hasFocus
          maxLength={60}
        />
      </Dialog>
    </>
  );
}
