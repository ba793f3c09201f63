/** What the URL of the versions says: which two are compared, and whether their list is shown. */
export interface VersionsSearch {
  from?: number;
  to?: number;
  view?: 'list';
}

export function readVersionsSearch(raw: Record<string, unknown>): VersionsSearch {
  const [from, to] = [raw['from'], raw['to']].map(Number);
  const isNumber = (value: number | undefined): value is number =>
    Number.isInteger(value) && (value ?? 0) > 0;
  return {
    ...(isNumber(from) ? { from } : {}),
    ...(isNumber(to) ? { to } : {}),
    ...(raw['view'] === 'list' ? { view: 'list' } : {}),
  };
}
