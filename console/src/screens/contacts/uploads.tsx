import { Upload } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import type { DirectoryDetail } from '../../../../src/contract/directories.ts';
import { useLostAt } from '../../app/away.ts';
import { ApiError } from '../../app/api.ts';
import { whyNot } from '../../app/may.ts';
import { percent } from '../../app/format.ts';
import { freshId } from '../../app/insecure.ts';
import { queries } from '../../app/query.ts';
import { upload } from '../../app/upload.ts';
import { t } from '../../app/words.ts';
import { Refusal } from '../../parts/action.tsx';
import { Button, type ButtonProps } from '../../parts/button.tsx';

/** What a contact file may be. The service looks at its content, not at its name. */
export const fileTypes = ['.csv', '.tsv', '.txt', '.xlsx'];

/** The upload of one file: how far it is, and why it failed. */
export function useUpload() {
  const [sent, setSent] = useState<{ name: string; share: number } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const cancel = useRef<AbortController>(null);
  /** What broke off; the browser still has it. */
  const [broken, setBroken] = useState<{ file: File; key: string } | null>(null);
  const start = async (file: File, as?: string): Promise<DirectoryDetail | null> => {
    const controller = new AbortController();
    cancel.current = controller;
    // Sent again, it is the same upload.
    const key = broken?.file === file ? broken.key : freshId();
    const form = new FormData();
    form.append('name', file.name);
    form.append('file', file, as ?? file.name);
    setError(null);
    setBroken(null);
    setSent({ name: file.name, share: 0 });
    try {
      return await upload<DirectoryDetail>('/directories', form, {
        onProgress: (share) => setSent({ name: file.name, share }),
        signal: controller.signal,
        key,
      });
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
      if (failure instanceof ApiError && failure.status === 0) setBroken({ file, key });
      // It may be stored all the same.
      void queries.invalidateQueries({ queryKey: ['/directories'] });
      return null;
    } finally {
      setSent(null);
    }
  };
  return {
    start,
    sent,
    error,
    broken: broken?.file ?? null,
    cancel: () => cancel.current?.abort(),
    isBusy: sent !== null,
  };
}

/** How much of a file has been sent, or why it was not. One that broke off is sent again as soon as the API answers. */
export function UploadState({
  of: { sent, error, broken, cancel },
  onAgain,
}: {
  of: ReturnType<typeof useUpload>;
  onAgain: (file: File) => void;
}) {
  if (sent === null)
    return (
      <>
        <Refusal error={error} />
        {broken !== null && (
          <div className="upload-state">
            <span className="cut">{t('contacts.brokeOff', { name: broken.name })}</span>
            <Button size="xs" needs="calls:trigger" onPress={() => onAgain(broken)}>
              {t('contacts.sendAgain')}
            </Button>
          </div>
        )}
      </>
    );
  return (
    <div className="upload-state">
      <Progress label={t('contacts.uploading', { name: sent.name })} share={sent.share} />
      <Button size="xs" onPress={cancel}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}

/** A bar with its words and its share of the whole. */
export function Progress({ label, share }: { label: string; share: number }) {
  return (
    <div className="upload-progress">
      <span className="cut">{label}</span>
      <span className="num text-muted">{percent(share)}</span>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="segbar"
      >
        <i className="is-tool" style={{ width: percent(share) }} />
      </div>
    </div>
  );
}

/** A button that asks for a file. */
export function ChooseFile({
  children,
  onFile,
  types = fileTypes,
  ...button
}: Pick<ButtonProps, 'kind' | 'isDisabled' | 'size' | 'className' | 'needs'> & {
  children: ReactNode;
  types?: readonly string[];
  onFile: (file: File) => void;
}) {
  return (
    <FileTrigger
      acceptedFileTypes={types}
      onSelect={(files) => {
        const file = files?.[0];
        if (file !== undefined) onFile(file);
      }}
    >
      <Button icon={Upload} needs="calls:trigger" {...button}>
        {children}
      </Button>
    </FileTrigger>
  );
}

/**
 * A place on which a file can be dropped. Nothing happens for a person who may not change contacts, and while the API
 * cannot be reached.
 */
export function FileDrop({
  label,
  className,
  onFile,
  children,
}: {
  label: string;
  className: string;
  onFile: (file: File) => void;
  children: ReactNode;
}) {
  const isAway = useLostAt() !== null;
  return (
    <DropZone
      aria-label={label}
      className={className}
      isDisabled={isAway || whyNot('calls:trigger') !== undefined}
      onDrop={({ items }) => {
        const first = items.find((each) => each.kind === 'file');
        if (first !== undefined) void first.getFile().then(onFile);
      }}
    >
      {children}
    </DropZone>
  );
}
