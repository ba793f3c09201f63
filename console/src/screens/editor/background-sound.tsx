import { X } from 'lucide-react';
import { ownText } from '../../../../src/domain/graph/definition.ts';
import { call, prefix, send, unanswered } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { IconButton } from '../../parts/button.tsx';
import { NumberField } from '../../parts/number-field.tsx';
import { Switch } from '../../parts/switch.tsx';
import { ChooseFile } from '../contacts/uploads.tsx';

type Sound = Readonly<Record<string, unknown>>;

/** What names an uploaded sound in the settings. */
const ofFile = ['storage_key', 'storage_backend', 'original_filename'];

/** The sound under the agent's voice (contract 3.1): the built-in room or an own file, and how loud it is. */
export function BackgroundSound({
  agentId,
  value,
  onChange,
}: {
  agentId: number;
  value: Sound;
  onChange: (value: Sound) => void;
}) {
  const uploading = useAction();
  const file =
    ownText(value, 'storage_key') === undefined
      ? null
      : (ownText(value, 'original_filename') ?? t('editor.sound.own'));
  const take = (chosen: File) =>
    uploading.run(async () => {
      const mime_type = 'audio/wav';
      const { body } = await call('post', '/workflow/ambient-noise/upload-url', {
        body: { workflow_id: agentId, filename: chosen.name, mime_type, file_size: chosen.size },
      });
      const { origin, pathname } = new URL(body.upload_url);
      // The page's policy allows no request to a bucket.
      if (!pathname.startsWith(`${prefix}/public/upload/`))
        throw unanswered(t('editor.sound.bucket', { origin }));
      const path = pathname.slice(prefix.length);
      await send('put', path, { body: chosen, contentType: mime_type, timeoutMs: 60_000 });
      const { storage_key, storage_backend } = body;
      onChange({ ...value, storage_key, storage_backend, original_filename: chosen.name });
    });
  return (
    <>
      <Switch
        label={t('editor.setting.ambient_noise_configuration.enabled')}
        hint={t('editor.setting.ambient_noise_configuration.enabled.hint')}
        value={value['enabled'] === true}
        onChange={(enabled) => onChange({ ...value, enabled })}
      />
      {value['enabled'] === true && (
        <>
          <NumberField
            label={t('editor.setting.ambient_noise_configuration.volume')}
            hint={t('editor.setting.ambient_noise_configuration.volume.hint')}
            minValue={0}
            maxValue={1}
            step={0.05}
            value={typeof value['volume'] === 'number' ? value['volume'] : 0.3}
            onChange={(volume) => onChange({ ...value, volume: volume ?? 0.3 })}
          />
          <div className="grid gap-1.5">
            <span className="lbl">{t('editor.sound.file')}</span>
            <span className="flex items-center gap-2">
              <span className="cut grow">{file ?? t('editor.sound.builtIn')}</span>
              {file !== null && (
                <IconButton
                  icon={X}
                  label={t('editor.sound.remove')}
                  onPress={() =>
                    onChange(
                      Object.fromEntries(Object.entries(value).filter(([key]) => !ofFile.includes(key))),
                    )
                  }
                />
              )}
              <ChooseFile needs="agents:write" size="xs" types={['audio/wav']} onFile={take}>
                {t(uploading.isBusy ? 'editor.sound.uploading' : 'editor.sound.upload')}
              </ChooseFile>
            </span>
            <p className="text-hint text-12">{t('editor.sound.hint')}</p>
            <Refusal error={uploading.error} />
          </div>
        </>
      )}
    </>
  );
}
