import { useState } from 'react';
import type { ImportedSuppressions, Suppression } from '../../../../src/contract/suppressions.ts';
import { call, send } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { entriesOf, wordsOf } from '../../parts/form-values.ts';
import { Note } from '../../parts/note.tsx';
import { Select } from '../../parts/select.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { countries } from './countries.ts';
import { ChooseFile } from './uploads.tsx';

const refresh = async () => await queries.invalidateQueries({ queryKey: ['/suppressions'] });
const importTimeoutMs = 300_000;

interface Counts {
  added: number;
  already_there: number;
  suppressed_targets: number;
}

/** What blocking has changed, in a sentence. */
function wordsOfCounts({ added, already_there: known, suppressed_targets: rows }: Counts): string {
  return [
    t('contacts.blockedN', { n: added, shown: count(added) }),
    ...(known === 0 ? [] : [t('contacts.knownN', { n: known, shown: count(known) })]),
    ...(rows === 0 ? [] : [t('contacts.endedN', { n: rows, shown: count(rows) })]),
  ].join(' ');
}

/** Blocks numbers that somebody types or pastes. */
export function AddNumbers({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={t('contacts.block')}
      saveLabel={t('contacts.block')}
      isNew
      fields={[
        {
          name: 'phone_numbers',
          label: t('contacts.numbers'),
          kind: 'lines',
          isRequired: true,
          isCode: true,
          placeholder: '+1 202 555 0143',
          hint: t('contacts.numbersHint'),
        },
        { name: 'reason', label: t('contacts.reason'), kind: 'text', hint: t('contacts.reasonHint') },
      ]}
      initial={{ phone_numbers: [], reason: '' }}
      onClose={onClose}
      onSave={async (values) => {
        const reason = wordsOf(values, 'reason').trim();
        const { body } = await call('post', '/suppressions', {
          body: {
            phone_numbers: entriesOf(values, 'phone_numbers').filter((each) => each.trim() !== ''),
            reason: reason === '' ? null : reason,
          },
        });
        await refresh();
        toast(wordsOfCounts(body));
      }}
    />
  );
}

/** Blocks the numbers of a file, and says which lines could not be read. */
export function ImportNumbers({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [country, setCountry] = useState('none');
  const [column, setColumn] = useState('');
  const [reason, setReason] = useState('');
  const [result, setResult] = useState<ImportedSuppressions | null>(null);
  const { run, error, isBusy } = useAction();
  const start = () =>
    run(async () => {
      if (file === null) return;
      const query = new URLSearchParams({
        ...(country === 'none' ? {} : { default_country: country }),
        ...(column.trim() === '' ? {} : { column: column.trim() }),
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      });
      const answer = await send('post', `/suppressions/import?${query.toString()}`, {
        body: file,
        contentType: 'application/octet-stream',
        timeoutMs: importTimeoutMs,
      });
      setResult((await answer.json()) as ImportedSuppressions);
      await refresh();
    });
  return (
    <Dialog
      title={t('contacts.importTitle')}
      isOpen
      onClose={onClose}
      footer={
        result === null ? (
          <>
            <Button onPress={onClose}>{t('common.cancel')}</Button>
            <Button kind="primary" isDisabled={file === null || isBusy} onPress={start}>
              {t(isBusy ? 'contacts.importing' : 'contacts.blockThem')}
            </Button>
          </>
        ) : (
          <Button kind="primary" onPress={onClose}>
            {t('common.close')}
          </Button>
        )
      }
    >
      {result === null ? (
        <div className="grid gap-4">
          <Note>{t('contacts.importHint')}</Note>
          <div className="row">
            <ChooseFile onFile={setFile}>{t('contacts.choose')}</ChooseFile>
            <span className="cut">{file?.name ?? ''}</span>
          </div>
          <Select
            label={t('contacts.country')}
            value={country}
            onChange={setCountry}
            options={[
              { value: 'none', label: t('contacts.noCountry') },
              ...countries('en').map(({ code, name }) => ({ value: code, label: name })),
            ]}
          />
          <TextField
            label={t('contacts.column')}
            hint={t('contacts.columnHint')}
            value={column}
            onChange={setColumn}
            maxLength={255}
          />
          <TextField
            label={t('contacts.reason')}
            hint={t('contacts.reasonHint')}
            value={reason}
            onChange={setReason}
            maxLength={500}
          />
          <Refusal error={error} />
        </div>
      ) : (
        <ImportResult of={result} />
      )}
    </Dialog>
  );
}

function ImportResult({ of }: { of: ImportedSuppressions }) {
  return (
    <div className="grid gap-3" role="status">
      <p className="ink">{wordsOfCounts(of)}</p>
      {of.invalid > 0 && (
        <>
          <p>{t('contacts.unreadN', { n: of.invalid, shown: count(of.invalid) })}</p>
          <ul className="line-faults">
            {of.faults.map(({ line, code, message }) => (
              <li key={line}>
                <span className="text-muted">{t('contacts.line', { line })}</span> {message}{' '}
                <span className="mono text-hint text-12">{code}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Allows calls to a number again, by a person who types its last digits and says why. */
export function UnblockNumber({
  of: { id, phone_number: number },
  onClose,
}: {
  of: Suppression;
  onClose: () => void;
}) {
  const [digits, setDigits] = useState('');
  const [reason, setReason] = useState('');
  const last = number.slice(-4);
  return (
    <Confirm
      title={t('contacts.unblockTitle', { number: `+${number}` })}
      button={t('contacts.unblock')}
      isBlocked={digits.trim() !== last || reason.trim() === ''}
      onClose={onClose}
      onConfirm={async () => {
        await call('delete', '/suppressions/{suppression_id}', {
          params: { suppression_id: id },
          query: { reason: reason.trim() },
        });
        await refresh();
        toast(t('contacts.unblocked', { number: `+${number}` }));
      }}
    >
      <div className="grid gap-4">
        <p>{t('contacts.unblockWhy')}</p>
        <TextField
          label={t('contacts.unblockReason')}
          hint={t('contacts.unblockReasonHint')}
          value={reason}
          onChange={setReason}
          isRequired
          hasFocus
          maxLength={500}
        />
        <TextField
          label={t('contacts.lastDigits')}
          value={digits}
          onChange={setDigits}
          isRequired
          isCode
          type="tel"
          maxLength={4}
        />
      </div>
    </Confirm>
  );
}
