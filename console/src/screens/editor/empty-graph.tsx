import { Plus } from 'lucide-react';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/states.tsx';
import { useSession } from './session.ts';

/** What stands in the place of a graph without nodes. */
export function EmptyGraph() {
  const session = useSession();
  return (
    <Empty
      title={t('editor.emptyTitle')}
      action={
        <Button needs="agents:write" icon={Plus} onPress={() => session.ask({ for: 'node' })}>
          {t('editor.addFirst')}
        </Button>
      }
    >
      {t('editor.empty')}
    </Empty>
  );
}
