import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import { Count } from './badge.tsx';

export interface TabEntry {
  id: string;
  label: string;
  count?: number;
  content: ReactNode;
}

/** On a phone the chosen tab may stand beside the screen. */
const intoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

export function Tabs({
  label,
  entries,
  selected,
  onSelect,
}: {
  label: string;
  entries: readonly TabEntry[];
  selected: string;
  onSelect: (id: string) => void;
}) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(key) => onSelect(String(key))}
      className="flex min-h-0 flex-1 flex-col"
    >
      <TabList aria-label={label} className="tabs">
        {entries.map(({ id, label: name, count }) => (
          <Tab key={id} id={id} className="tab" {...(id === selected ? { ref: intoView } : {})}>
            {name}
            {count !== undefined && <Count of={count} />}
          </Tab>
        ))}
      </TabList>
      {entries.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="min-h-0 flex-1 overflow-auto outline-none">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

/** One of a few ways to look at the same thing. */
export function Segmented<Id extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { id: Id; label: string }[];
  value: Id;
  onChange: (id: Id) => void;
}) {
  return (
    <div role="group" aria-label={label} className="seg">
      {options.map(({ id, label: name }) => (
        <button key={id} type="button" aria-pressed={id === value} onClick={() => onChange(id)}>
          {name}
        </button>
      ))}
    </div>
  );
}
