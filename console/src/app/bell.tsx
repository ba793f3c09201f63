import { Bell as BellIcon } from 'lucide-react';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Needs, useNeeds } from '../screens/home/home.tsx';
import { t } from './words.ts';

/** Pages ask for problems so often; Home, where one looks for them, asks more often. */
const asking = { refetchInterval: 30_000 };

/** How many things need a person, on every page, and what they are: the same list as on Home. */
export function Bell() {
  const [isOpen, setOpen] = useState(false);
  const { needs } = useNeeds(asking);
  const isBad = needs.some(({ is }) => is === 'bad');
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className="btn ghost icon bell-button" aria-label={t('frame.needs', { n: needs.length })}>
        <BellIcon className="i" aria-hidden size={16} strokeWidth={1.5} />
        {needs.length > 0 && (
          <b className={isBad ? 'is-bad' : 'is-warn'} aria-hidden>
            {needs.length > 9 ? '9+' : needs.length}
          </b>
        )}
      </Button>
      <Popover className="pop bell" placement="bottom end">
        <Dialog className="outline-none" aria-label={t('frame.needsList')}>
          {/* A way to what needs somebody leads away from the list. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- clicks of its links, which keys make, too */}
          <div onClick={({ target }) => target instanceof Element && target.closest('a') && setOpen(false)}>
            <Needs />
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
