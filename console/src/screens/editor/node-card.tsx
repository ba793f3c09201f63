import { BookOpen, MicOff, Tag, TriangleAlert, Wrench } from 'lucide-react';
import { Fragment } from 'react';
import { parseTemplate } from '../../../../src/domain/template/parse.ts';
import { ownList, ownText } from '../../../../src/domain/graph/definition.ts';
import type { NodeSpec } from '../../../../src/contract/node-types.ts';
import { t } from '../../app/words.ts';
import { type GraphNode, nameOf } from '../../graph/draft.ts';
import { isTemplate } from '../../graph/form.ts';
import type { Problem } from '../../graph/problems.ts';
import { cx } from '../../parts/cx.ts';
import { Glyph } from './kinds.tsx';
import { useLit } from './rail/shown.ts';

/** A text with its variables as pills. */
export function WithVariables({ text }: { text: string }) {
  return parseTemplate(text.slice(0, 400)).map((segment, index) => (
    <Fragment key={index}>
      {segment.kind === 'text' ? segment.text : <span className="var">{segment.name}</span>}
    </Fragment>
  ));
}

/** The first words of a node: what it says, else what it is told. */
export function wordsOf({ data }: GraphNode, spec: NodeSpec | undefined): string {
  const templates = (spec?.properties ?? []).filter(isTemplate);
  for (const { name } of templates) {
    const text = (ownText(data, name) ?? '').trim();
    if (text !== '') return text;
  }
  return '';
}

function Badges({ node: { data }, spec }: { node: GraphNode; spec: NodeSpec | undefined }) {
  const values = data['extraction_enabled'] === true ? ownList(data, 'extraction_variables').length : 0;
  const tools = ownList(data, 'tool_uuids').length;
  const documents = ownList(data, 'document_uuids').length;
  const cannotInterrupt =
    data['allow_interrupt'] === false &&
    spec?.properties.some(({ name }) => name === 'allow_interrupt') === true;
  return (
    <div className="nb">
      {values > 0 && (
        <span>
          <Tag className="i" aria-hidden />
          {t('editor.badge.values', { count: values })}
        </span>
      )}
      {tools > 0 && (
        <span>
          <Wrench className="i" aria-hidden />
          {t('editor.badge.tools', { count: tools })}
        </span>
      )}
      {documents > 0 && (
        <span>
          <BookOpen className="i" aria-hidden />
          {t('editor.badge.documents', { count: documents })}
        </span>
      )}
      {cannotInterrupt && (
        <span>
          <MicOff className="i" aria-hidden />
          {t('editor.badge.noInterrupt')}
        </span>
      )}
    </div>
  );
}

/** How many problems something has, in the color of the worst. */
export function ProblemMark({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  const isBad = problems.some(({ severity }) => severity === 'error');
  return (
    <span
      className={cx('pm', isBad ? 'is-bad' : 'is-warn')}
      title={t('editor.problemCount', { count: problems.length })}
    >
      <TriangleAlert className="i" aria-hidden />
      <span className="vh">{t('editor.problemCount', { count: problems.length })}</span>
    </span>
  );
}

/** When a test came to a node: the numbers of the path. */
export function Visits({ numbers }: { numbers: readonly number[] }) {
  return (
    <span className="ord">
      <span aria-hidden>{numbers.length > 2 ? `${numbers[0]}…${numbers.at(-1)}` : numbers.join('·')}</span>
      <span className="vh">{t('rail.visited', { count: numbers.length, numbers: numbers.join(', ') })}</span>
    </span>
  );
}

export function NodeCard({
  node,
  spec,
  problems,
  isSelected,
}: {
  node: GraphNode;
  spec: NodeSpec | undefined;
  problems: readonly Problem[];
  isSelected: boolean;
}) {
  const text = wordsOf(node, spec);
  const lit = useLit();
  const visits = lit?.visits.get(node.id);
  const isNow = lit?.now === node.id;
  const light = lit === null ? null : isNow ? 'now' : visits === undefined ? 'dim' : 'seen';
  return (
    <div className={cx('node', isSelected && 'sel', light)}>
      <ProblemMark problems={problems} />
      {visits !== undefined && <Visits numbers={visits} />}
      <div className="nh">
        <Glyph spec={spec} type={node.type} isSmall />
        <b className="cut">{nameOf(node, spec?.display_name)}</b>
        {isNow ? (
          <span className="kind now">{t('rail.speaks')}</span>
        ) : spec?.category !== 'call_node' ||
          spec.graph_constraints?.max_incoming === 0 ||
          spec.graph_constraints?.max_outgoing === 0 ? (
          <span className="kind">{spec?.display_name ?? node.type}</span>
        ) : null}
      </div>
      <p>
        {text === '' ? (
          t(spec === undefined ? 'editor.unknownType' : 'editor.noPrompt')
        ) : (
          <WithVariables text={text} />
        )}
      </p>
      <Badges node={node} spec={spec} />
    </div>
  );
}
