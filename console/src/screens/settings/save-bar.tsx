import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import type { Form } from '../../parts/form.tsx';

/** Saves or discards a form of the organization. */
export function SaveBar({ form }: { form: Form }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        type="submit"
        form={form.id}
        kind="primary"
        needs="admin"
        isDisabled={form.isBusy || !form.isDirty}
      >
        {t('common.save')}
      </Button>
      {form.isDirty && (
        <>
          <Button onPress={form.reset}>{t('form.discard')}</Button>
          <span className="text-hint text-12">{t('form.unsaved')}</span>
        </>
      )}
    </div>
  );
}
