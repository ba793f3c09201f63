import { patienceMs } from './until.ts';

export interface StreamedEvent {
  id: string;
  event: string;
  data: unknown;
}

/** A client of a stream of server-sent events. */
export interface EventClient {
  status: number;
  headers: Headers;
  /** The next event; comments are skipped. Null when the stream has ended. */
  next: () => Promise<StreamedEvent | null>;
  close: () => void;
}

export async function openEvents(
  url: string,
  topics: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventClient> {
  const closing = new AbortController();
  const answer = await fetch(`${url}/api/v1/events?topics=${topics}`, { headers, signal: closing.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<StreamedEvent | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const event = read(block);
        if (event !== null) return event;
      } else {
        const late = setTimeout(() => closing.abort(new Error('there was no event in time')), patienceMs);
        const { done = true, value = '' } = (await reader?.read()) ?? {};
        clearTimeout(late);
        if (done) return null;
        text += value;
      }
    }
  };
  return { status: answer.status, headers: answer.headers, next, close: () => closing.abort() };
}

function read(block: string): StreamedEvent | null {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const at = line.indexOf(': ');
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 2)] as const];
    }),
  );
  const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
  return id === undefined || event === undefined || data === undefined
    ? null
    : { id, event, data: JSON.parse(data) };
}
