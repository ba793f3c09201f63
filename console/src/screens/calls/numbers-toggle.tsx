import { Eye } from 'lucide-react';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { toggleNumbers, useNumbersShown } from '../../app/numbers.ts';

/** Shows or masks the numbers of this tab. */
export function NumbersToggle() {
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
    </Button>
  );
}
