import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components';
import { t } from '../../app/words.ts';
import { Dialog } from '../../parts/dialog.tsx';

export interface Choice {
  id: string;
  label: string;
  description?: string;
  glyph?: ReactNode;
}

/** Asks for one of several things: type to filter, arrows and Enter to choose. */
export function Pick({
  title,
  choices,
  onPick,
  onClose,
}: {
  title: string;
  choices: readonly Choice[];
  onPick: (id: string) => void;
  onClose: () => void;
}) {
  const { contains } = useFilter({ sensitivity: 'base' });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Autocomplete filter={contains}>
        <SearchField aria-label={t('editor.filter')} autoFocus className="mb-2">
          <div className="input">
            <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
            <Input className="min-w-0 flex-1 outline-none" placeholder={t('editor.filter')} />
          </div>
        </SearchField>
        <Menu
          aria-label={title}
          items={choices}
          className="outline-none"
          renderEmptyState={() => <p className="text-muted p-2">{t('editor.nothingFound')}</p>}
        >
          {({ id, label, description, glyph }) => (
            <MenuItem
              id={id}
              textValue={label}
              className="item"
              onAction={() => {
                onClose();
                onPick(id);
              }}
            >
              {glyph}
              <span className="grid min-w-0 py-1.5">
                <span className="text-ink font-medium">{label}</span>
                {description !== undefined && <span className="text-muted text-12">{description}</span>}
              </span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}
