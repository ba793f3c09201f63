const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  txt: 'text/plain; charset=utf-8',
  wav: 'audio/wav',
};

/** What a file is by its name; nothing that a browser would run. */
export function mediaTypeOf(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(mediaTypes, extension) ? (mediaTypes[extension] ?? unknownType) : unknownType;
}

const unknownType = 'application/octet-stream';

/** `text/csv` of `Text/CSV; charset=utf-8`. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}
