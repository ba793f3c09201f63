import { Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger, Form } from 'react-aria-components';
import { t } from '../../app/words.ts';
import { Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { type ImportedTool, type ImportFault, NotImported, readImport } from './imported.ts';

/** Above this many operations they are found by typing. */
const maxWithoutSearch = 8;

/** Begins a tool with a request that is known elsewhere. Nothing is stored before the form is. */
export function ImportTool({
  onRead,
  onClose,
}: {
  onRead: (tool: ImportedTool) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<ImportFault | null>(null);
  const [found, setFound] = useState<readonly ImportedTool[]>([]);
  const read = async (words: string) => {
    try {
      const tools = await readImport(words);
      const [only, ...others] = tools;
      if (only !== undefined && others.length === 0) onRead(only);
      else setFound(tools);
    } catch (error) {
      if (!(error instanceof NotImported)) throw error;
      setFault(error.fault);
    }
  };
  const change = (words: string) => {
    setText(words);
    setFault(null);
    setFound([]);
  };
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const words = await file.text();
    change(words);
    await read(words);
  };
  return (
    <Dialog title={t('tools.importTitle')} size="lg" isOpen onClose={onClose}>
      <Form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void read(text);
        }}
      >
        <TextField
          label={t('tools.importPaste')}
          hint={t('tools.importHint')}
          error={fault === null ? undefined : t(`tools.importFault.${fault}`)}
          value={text}
          onChange={change}
          lines={8}
          isCode
          hasFocus
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" size="md">
            {t('tools.importRead')}
          </Button>
          <FileTrigger
            acceptedFileTypes={['application/json', '.json', '.yaml', '.yml']}
            onSelect={(files) => void take(files?.[0])}
          >
            <Button size="md" icon={Upload}>
              {t('tools.importFile')}
            </Button>
          </FileTrigger>
        </div>
      </Form>
      {found.length > 0 && <Operations of={found} onRead={onRead} />}
    </Dialog>
  );
}

function Operations({ of, onRead }: { of: readonly ImportedTool[]; onRead: (tool: ImportedTool) => void }) {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const shown = of.filter(({ name, definition: { config } }) =>
    `${config.method} ${config.url} ${name}`.toLowerCase().includes(wanted),
  );
  return (
    <section className="mt-5 grid gap-2" aria-label={t('tools.operations')}>
      <h3 className="h2">{t('tools.operationsOf', { count: of.length })}</h3>
      {of.length > maxWithoutSearch && (
        <TextField label={t('tools.operationsFilter')} type="search" value={words} onChange={setWords} />
      )}
      <ul className="grid gap-1">
        {shown.map((tool) => (
          <li key={`${tool.definition.config.method} ${tool.definition.config.url}`}>
            <Button className="h-auto w-full justify-start py-1.5" onPress={() => onRead(tool)}>
              <Tag is="tool">{tool.definition.config.method}</Tag>
              <span className="grid min-w-0 text-start">
                <span className="cut">{tool.name}</span>
                <span className="text-hint text-12 mono cut font-normal">{tool.definition.config.url}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
