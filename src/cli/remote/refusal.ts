import { ApiRefusal, type Fault } from '../failures.ts';
import { isObject, objectsIn, own, ownText } from '../json.ts';

/**
 * Reads an error answer (contract 0.3). `detail` is a text, a list of field faults, or the faults of a graph.
 */
export function readRefusal({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Headers;
  text: string;
}): ApiRefusal {
  const body = parsed(text);
  const detail = own(body, 'detail');
  return new ApiRefusal({
    status,
    code: ownText(body, 'code') ?? null,
    requestId: headers.get('x-request-id') ?? ownText(body, 'request_id') ?? null,
    faults: [...fieldFaults(detail), ...graphFaults(detail)],
    message: messageOf(detail, status),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not an answer of the API, but for example a proxy's page
  }
}

function messageOf(detail: unknown, status: number): string {
  if (typeof detail === 'string' && detail !== '') return detail;
  if (Array.isArray(detail)) return 'The request is not valid';
  if (isObject(detail) && own(detail, 'is_valid') === false) return 'The graph is not valid';
  return ownText(detail, 'message') ?? `The API answered ${status}`;
}

function fieldFaults(detail: unknown): Fault[] {
  return objectsIn(detail).map((record) => {
    const place = own(record, 'loc');
    return {
      place: Array.isArray(place) ? place.join('.') : 'request',
      message: ownText(record, 'msg') ?? 'is not valid',
    };
  });
}

function graphFaults(detail: unknown): Fault[] {
  return objectsIn(own(detail, 'errors')).map((fault) => {
    const [kind, id, field] = [ownText(fault, 'kind'), ownText(fault, 'id'), ownText(fault, 'field')];
    const subject = kind === 'node' || kind === 'edge' ? `${kind} ${id ?? 'without id'}` : 'graph';
    return {
      place: field === undefined ? subject : `${subject}, ${field}`,
      message: ownText(fault, 'message') ?? 'is not valid',
    };
  });
}
