import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { Directory, DirectoryDetail } from '../../../../src/contract/directories.ts';
import { call } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { saveFile } from '../../app/save-file.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { encodingName } from './candidates.ts';
import { refreshDirectory } from './queries.ts';
import { leftOut } from './stage.ts';
import { ChooseFile, FileDrop, Progress, useUpload } from './uploads.tsx';

const lookMs = 500;

/** How repaired rows come back: what goes on, and what became of them. */
type Repairing =
  | { kind: 'checking'; percent: number }
  | { kind: 'done'; words: string }
  | { kind: 'other'; made: DirectoryDetail }
  | { kind: 'unchecked'; made: DirectoryDetail; why: string | null };

/** The rows that are left out: to download with their reasons, and to drop again when they are repaired. */
export function RepairBar({ directory }: { directory: DirectoryDetail }) {
  const { id, totals, kind, reading } = directory;
  const uploading = useUpload();
  const [state, setState] = useState<Repairing | null>(null);
  const download = useAction();
  const repair = useAction();
  const out = totals === null ? 0 : leftOut(totals);
  const take = (file: File) =>
    repair.run(async () => {
      setState(null);
      // The service knows an error file of this directory by this name.
      const ending = /\.[a-z]+$/i.exec(file.name)?.[0] ?? '';
      const made = await uploading.start(file, `directory_${id}_errors${ending}`);
      if (made === null) return;
      if (made.repaired_from !== id) return setState({ kind: 'other', made });
      setState({ kind: 'checking', percent: 0 });
      const checked = await checkToEnd(made.id, (percent) => setState({ kind: 'checking', percent }));
      if (checked.state !== 'ready') return setState({ kind: 'unchecked', made, why: checked.fault });
      setState({ kind: 'done', words: await addRepaired(id, made.id) });
    });
  if (out === 0 && state === null) return null;
  const error = uploading.error ?? repair.error ?? download.error;
  return (
    <FileDrop label={t('contacts.dropRepaired')} className="repair" onFile={take}>
      <div className="repair-words">
        <p className="ink med">{t('contacts.areLeftOut', { n: out, shown: count(out) })}</p>
        <p className="text-muted text-12">
          {kind === 'xlsx'
            ? t('contacts.errorBook')
            : t('contacts.errorFile', { encoding: encodingName(reading.encoding ?? '') })}
        </p>
      </div>
      <Button
        icon={Download}
        needs="people:read"
        isDisabled={download.isBusy || out === 0}
        onPress={() => download.run(async () => await saveFile(`/directories/${id}/errors`))}
      >
        {t('contacts.downloadErrors')}
      </Button>
      <ChooseFile isDisabled={repair.isBusy} onFile={take}>
        {t('contacts.uploadRepaired')}
      </ChooseFile>
      <div role="status" className="repair-state">
        {uploading.sent !== null && (
          <Progress
            label={t('contacts.uploading', { name: uploading.sent.name })}
            share={uploading.sent.share}
          />
        )}
        {state?.kind === 'checking' && (
          <Progress label={t('contacts.checkingRepaired')} share={state.percent / 100} />
        )}
        {state?.kind === 'done' && <p>{state.words}</p>}
        {(state?.kind === 'other' || state?.kind === 'unchecked') && (
          <p>
            {state.kind === 'other'
              ? t('contacts.notRepaired')
              : t('contacts.repairUnchecked', { why: state.why ?? '' })}{' '}
            <Link
              to="/contacts/$directoryId"
              params={{ directoryId: String(state.made.id) }}
              className="link"
            >
              {t('contacts.openIt', { name: state.made.name })}
            </Link>
          </p>
        )}
        <Refusal error={error} />
      </div>
    </FileDrop>
  );
}

const one = '/directories/{directory_id}';

/** Checks a directory and waits for the end, telling how far it is. */
async function checkToEnd(id: number, onProgress: (percent: number) => void): Promise<Directory> {
  const params = { directory_id: id };
  let { body } = await call('post', `${one}/check`, { params });
  while (body.state === 'importing') {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    ({ body } = await call('get', one, { params }));
    onProgress(body.progress_percentage);
  }
  return body;
}

/** Puts the repaired rows of a file in their old places, and says what they became. */
export async function addRepaired(id: number, repairedId: number): Promise<string> {
  const { body } = await call('post', `${one}/repairs`, {
    params: { directory_id: id },
    body: { directory_id: repairedId },
  });
  await refreshDirectory(id);
  await refreshDirectory(repairedId);
  const others = (['duplicate', 'do_not_call', 'suppressed', 'skipped'] as const)
    .filter((each) => body[each] > 0)
    .map((each) => t(`contacts.repair.${each}`, { n: body[each], shown: count(body[each]) }));
  return [
    t('contacts.repair.repaired', { n: body.repaired, shown: count(body.repaired) }),
    ...others,
    ...(body.campaign_ids.length === 0
      ? []
      : [t('contacts.repair.campaigns', { n: body.campaign_ids.length })]),
  ].join(' ');
}
