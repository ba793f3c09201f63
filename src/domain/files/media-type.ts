const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  txt: 'text/plain; charset=utf-8',
  wav: 'audio/wav',
};

/** The media type of a file by its name; never one that a browser would execute. */
export function mediaTypeOf(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(mediaTypes, extension) ? (mediaTypes[extension] ?? unknownType) : unknownType;
}

const unknownType = 'application/octet-stream';

/** The type without parameters, in lower case: `text/csv` for `Text/CSV; charset=utf-8`. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}
