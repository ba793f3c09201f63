import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ListedVersion } from '../../../../src/contract/agents.ts';
import { t } from '../../app/words.ts';
import { definitionOf, type Draft, draftOf } from '../../graph/draft.ts';
import { ChangeList, elementOf, useComparison } from '../versions/change-list.tsx';
import type { Content } from '../versions/compare.ts';
import { VersionCanvas } from '../versions/version-canvas.tsx';
import { useEditor, useSession } from './session.ts';

/** What calls will meet that they do not meet now: in one graph, and in sentences. */
export function PublishChanges({
  published,
  draft,
  isStored,
}: {
  published: ListedVersion;
  draft: Draft;
  /** Whether the draft can be compared on the page of versions. */
  isStored: boolean;
}) {
  const { agentId } = useSession();
  const to = useEditor((state) => state.version.version_number);
  const before = useMemo(() => contentOf(publishedDraft(published)), [published]);
  const after = useMemo(() => contentOf(draft), [draft]);
  const { rows, picture, lines } = useComparison(before, after);
  const [at, setAt] = useState(0);
  const from = published.version_number;
  return (
    <>
      <div className="row">
        <h3 className="h2 grow">{t('editor.changesSince', { count: rows.length, version: from })}</h3>
        {isStored && rows.length > 0 && (
          <Link
            to="/agents/$agentId/versions"
            params={{ agentId: String(agentId) }}
            search={{ from, to: to ?? 1 }}
            className="link inline-flex min-h-6 items-center"
          >
            {t('editor.compare')}
          </Link>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="text-muted">{t('editor.noChanges')}</p>
      ) : (
        <>
          <VersionCanvas
            picture={picture}
            label={t('editor.changesCanvas', { version: from })}
            lines={lines}
            selected={elementOf(rows[at])}
            onSelect={(key) => {
              const found = rows.findIndex((row) => elementOf(row) === key);
              if (found >= 0) setAt(found);
            }}
          />
          <ChangeList rows={rows} at={Math.min(at, rows.length - 1)} onChoose={setAt} />
        </>
      )}
    </>
  );
}

const contentOf = (draft: Draft): Content => ({
  definition: definitionOf(draft),
  settings: draft.settings,
  testValues: draft.values,
});

const publishedDraft = (version: ListedVersion): Draft =>
  draftOf({ name: '', workflow_definition: version.workflow_json, ...version });
