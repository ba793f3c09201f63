import { Eye } from 'lucide-react';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { toggleNumbers, useNumbersShown } from './reveal.ts';

/** Shows or masks the numbers of this tab. `shortcut`: the key of the page that does the same. */
export function NumbersToggle({ shortcut }: { shortcut?: string }) {
  const areShown = useNumbersShown();
  return (
    <Button
      kind="ghost"
      size="xs"
      icon={Eye}
      needs="people:read"
      aria-pressed={areShown}
      onPress={toggleNumbers}
    >
      {t(areShown ? 'calls.maskNumbers' : 'calls.showNumbers')}
      {shortcut !== undefined && <kbd className="hide-s">{shortcut}</kbd>}
    </Button>
  );
}
