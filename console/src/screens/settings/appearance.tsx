import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { densities, density, useDensity } from '../../app/density.ts';
import { singleKeys } from '../../app/shortcuts.ts';
import { soundChoice } from '../../app/sound-choice.ts';
import { chooseTheme, chosenTheme, themes } from '../../app/theme.ts';
import { t } from '../../app/words.ts';
import { Card } from '../../parts/card.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { Switch } from '../../parts/switch.tsx';

/** How the console looks, sounds and listens to keys in this browser. */
export function Appearance() {
  const [theme, setTheme] = useState(chosenTheme);
  const rows = useDensity();
  const keys = useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
  const sound = useSyncExternalStore(soundChoice.subscribe, soundChoice.get);
  return (
    <div className="room">
      <Card title={t('settings.appearance')}>
        <div className="card-b grid max-w-[560px] gap-5">
          <Choice label={t('settings.theme')}>
            <Segmented
              label={t('settings.theme')}
              value={theme}
              options={themes.map((id) => ({ id, label: t(`settings.theme.${id}`) }))}
              onChange={(id) => {
                chooseTheme(id);
                setTheme(id);
              }}
            />
          </Choice>
          <Choice label={t('settings.density')}>
            <Segmented
              label={t('settings.density')}
              value={rows}
              options={densities.map((id) => ({ id, label: t(`settings.density.${id}`) }))}
              onChange={density.set}
            />
          </Choice>
          <Switch
            label={t('settings.singleKeys')}
            hint={t('settings.singleKeysHint')}
            value={keys === 'on'}
            onChange={(is) => singleKeys.set(is ? 'on' : 'off')}
          />
          <Switch
            label={t('settings.sound')}
            hint={t('settings.soundHint')}
            value={sound === 'on'}
            onChange={(is) => soundChoice.set(is ? 'on' : 'off')}
          />
        </div>
      </Card>
    </div>
  );
}

const Choice = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid justify-items-start gap-1.5">
    <span className="text-ink font-medium" aria-hidden>
      {label}
    </span>
    {children}
  </div>
);
