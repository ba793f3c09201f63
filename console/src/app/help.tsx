import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '../parts/dialog.tsx';
import { Button } from '../parts/button.tsx';
import { keyCaps } from './key-caps.ts';
import { listShortcuts, singleKeys } from './shortcuts.ts';
import { t } from './words.ts';

/** All shortcuts of the present page. */
export function Help({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog title={t('help.title')} isOpen onClose={onClose}>
      <dl className="facts -mx-4 mb-4">
        {listShortcuts().map(({ keys, words }) => (
          <div key={keys}>
            <dt>{words}</dt>
            <dd className="flex gap-2">
              {keyCaps(keys).map((caps, index) => (
                <span key={`${index} ${caps.join()}`} className="flex gap-1">
                  {caps.map((cap) => (
                    <kbd key={cap}>{cap}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-12 flex flex-wrap items-center gap-2">
        {t(singleKeys.get() === 'on' ? 'help.singleKeysOn' : 'help.singleKeysOff')}
        <Button
          size="xs"
          onPress={() => {
            onClose();
            void navigate({ to: '/settings', search: { tab: 'appearance' } });
          }}
        >
          {t('help.toAppearance')}
        </Button>
      </p>
    </Dialog>
  );
}
