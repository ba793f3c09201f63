import { isObject, own, ownText } from '../json.ts';
import { oneLine, shown, type Terminal } from './terminal.ts';

/**
 * Renders an event of a call (`logs.realtime_feedback_events`) as a line. Null for events that people skip.
 */
export function eventLine(event: unknown, terminal: Terminal): string | null {
  const payload = own(event, 'payload');
  const text = shown(ownText(payload, 'text') ?? '');
  const node = ownText(event, 'node_name');
  switch (ownText(event, 'type')) {
    case 'rtf-user-transcription':
      return `${terminal.dim('caller')}  ${text}`;
    case 'rtf-bot-text':
      return `${terminal.bold('agent ')}  ${text}`;
    case 'rtf-node-transition':
      return terminal.dim(`        now at ${oneLine(ownText(payload, 'node_name') ?? node ?? '?')}`);
    case 'rtf-function-call-start':
      return terminal.dim(
        `        calls ${oneLine(ownText(payload, 'function_name') ?? '?')} ${oneLine(jsonText(own(payload, 'arguments')), 100)}`,
      );
    case 'rtf-function-call-end':
      return terminal.dim(`        returns ${oneLine(jsonText(own(payload, 'result')), 100)}`);
    case 'rtf-pipeline-error':
      return terminal.bad(`        failed: ${oneLine(ownText(payload, 'error') ?? 'unknown reason', 200)}`);
    case 'extraction_failed':
      return terminal.bad(`        extraction failed: ${oneLine(ownText(payload, 'reason') ?? '', 200)}`);
    default:
      return null;
  }
}

const jsonText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Renders named values, one per line. */
export function valueLines(values: unknown): string[] {
  const entries = Object.entries(isObject(values) ? values : {});
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `  ${shown(name).padEnd(width)}  ${oneLine(jsonText(value), 200)}`);
}
