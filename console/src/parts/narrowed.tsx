import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Autocomplete, Input, SearchField, useFilter } from 'react-aria-components';
import { t } from '../app/words.ts';

/** A list of choices below a field that narrows it. `what` is what they are. */
export function Narrowed({ what, children }: { what: string; children: ReactNode }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const words = t('common.find', { what });
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label={words} autoFocus className="choice-field">
        <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
        <Input placeholder={words} />
      </SearchField>
      {children}
    </Autocomplete>
  );
}

/** What a narrowed list says that is empty. */
export const nothingFound = () => <p className="text-muted p-3">{t('common.nothingFound')}</p>;
