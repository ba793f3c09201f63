import { useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Switch } from '../parts/switch.tsx';
import { areSingleKeysOn, listShortcuts, storedSwitch } from './shortcuts.ts';
import { t } from './words.ts';

/** All shortcuts of the present page. */
export function Help({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  const change = (next: boolean) => {
    try {
      localStorage.setItem(storedSwitch, next ? 'on' : 'off');
    } catch {
      // The choice then lasts as long as the page.
    }
    setOn(next);
  };
  return (
    <Dialog title={t('help.title')} isOpen onClose={onClose}>
      <dl className="facts -mx-4 mb-4">
        {listShortcuts().map(({ keys, words }) => (
          <div key={keys}>
            <dt>{words}</dt>
            <dd className="flex gap-1">
              {keys.split(' ').map((each) => (
                <kbd key={each}>{each.replaceAll('+', ' ')}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch label={t('help.singleKeys')} hint={t('help.singleKeysHint')} value={isOn} onChange={change} />
    </Dialog>
  );
}
