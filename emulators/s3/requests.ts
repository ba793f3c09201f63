import type { Bucket, StoredObject } from './bucket.ts';
import { S3Problem } from './problem.ts';
import type { Incoming } from './signature.ts';
import { xmlOf } from './xml.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface Asked {
  request: Incoming;
  /** The path after the bucket's name; empty = the bucket itself. */
  key: string;
  body: Buffer;
  bucket: Bucket;
}

/** Runs the request and answers it. Throws S3Problem. */
export function answer(asked: Asked): Answer {
  const {
    request: { method, query },
    key,
  } = asked;
  const isOfUpload = query['uploadId'] !== undefined;
  switch (method) {
    case 'HEAD':
      return key === '' ? empty(200) : headOf(asked);
    case 'GET':
      return key === '' ? list(asked) : read(asked);
    case 'PUT':
      return isOfUpload ? putPart(asked) : put(asked);
    case 'POST':
      return query['uploads'] !== undefined ? begin(asked) : isOfUpload ? complete(asked) : refuse();
    case 'DELETE':
      return isOfUpload ? abort(asked) : remove(asked);
    default:
      return refuse();
  }
}

function refuse(): never {
  throw new S3Problem(501, 'NotImplemented', 'The simulated storage does not do this');
}

function empty(status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: Buffer.alloc(0) };
}

function xml(root: string, content: Parameters<typeof xmlOf>[1]): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(xmlOf(root, content)),
  };
}

function describe(object: StoredObject): Record<string, string> {
  return {
    'content-type': object.mediaType,
    'last-modified': object.modifiedAt.toUTCString(),
    etag: object.etag,
    'accept-ranges': 'bytes',
  };
}

function headOf({ bucket, key }: Asked): Answer {
  const object = bucket.get(key);
  return empty(200, { ...describe(object), 'content-length': String(object.bytes.length) });
}

function read({ bucket, key, request: { headers, query } }: Asked): Answer {
  const object = bucket.get(key);
  const { length } = object.bytes;
  const said = Object.fromEntries(
    ['content-type', 'content-disposition', 'cache-control'].flatMap((name) =>
      query[`response-${name}`] === undefined ? [] : [[name, query[`response-${name}`] ?? '']],
    ),
  );
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
  if (from === undefined)
    return { status: 200, headers: { ...describe(object), ...said }, body: object.bytes };
  const [first, last] = [
    Number(from),
    to === undefined || to === '' ? length - 1 : Math.min(Number(to), length - 1),
  ];
  if (first >= length) throw new S3Problem(416, 'InvalidRange', 'The requested range is not satisfiable');
  return {
    status: 206,
    headers: { ...describe(object), ...said, 'content-range': `bytes ${first}-${last}/${length}` },
    body: object.bytes.subarray(first, last + 1),
  };
}

function list({ bucket, request: { query } }: Asked): Answer {
  if (query['list-type'] !== '2') return refuse();
  const prefix = query['prefix'] ?? '';
  const max = Math.min(Number(query['max-keys'] ?? '1000'), 1000);
  const { keys, next } = bucket.list(prefix, { after: query['continuation-token'] ?? '', max });
  const contents = keys.map((key) => ({
    Key: key,
    Size: bucket.get(key).bytes.length,
    ETag: bucket.get(key).etag,
    LastModified: bucket.get(key).modifiedAt.toISOString(),
  }));
  return xml('ListBucketResult', {
    Prefix: prefix,
    KeyCount: keys.length,
    MaxKeys: max,
    IsTruncated: next !== null,
    ...(next === null ? {} : { NextContinuationToken: next }),
    Contents: contents,
  });
}

const usualType = 'binary/octet-stream';

function put({ bucket, key, body, request: { headers } }: Asked): Answer {
  return empty(200, { etag: bucket.put(key, body, headers['content-type'] ?? usualType).etag });
}

function remove({ bucket, key }: Asked): Answer {
  bucket.objects.delete(key);
  return empty(204);
}

function begin({ bucket, key, request: { headers } }: Asked): Answer {
  return xml('InitiateMultipartUploadResult', {
    Key: key,
    UploadId: bucket.begin(key, headers['content-type'] ?? usualType),
  });
}

function putPart({ bucket, key, body, request: { query } }: Asked): Answer {
  return empty(200, { etag: bucket.part(query['uploadId'] ?? '', key, Number(query['partNumber']), body) });
}

function complete({ bucket, key, body, request: { query } }: Asked): Answer {
  const parts = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>(.*?)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  }));
  return xml('CompleteMultipartUploadResult', {
    Key: key,
    ETag: bucket.complete(query['uploadId'] ?? '', key, parts).etag,
  });
}

function abort({ bucket, key, request: { query } }: Asked): Answer {
  bucket.abort(query['uploadId'] ?? '', key);
  return empty(204);
}
