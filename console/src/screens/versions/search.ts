/**
 * What the URL of the versions says: which two are compared, how they are shown or that their list is, and whether it has
 * every save or only what was published and the draft.
 */
export interface VersionsSearch {
  from?: number;
  to?: number;
  view?: 'list' | 'columns';
  saves?: 'every';
}

export function readVersionsSearch(raw: Record<string, unknown>): VersionsSearch {
  const [from, to] = [raw['from'], raw['to']].map(Number);
  const isNumber = (value: number | undefined): value is number =>
    Number.isInteger(value) && (value ?? 0) > 0;
  return {
    ...(isNumber(from) ? { from } : {}),
    ...(isNumber(to) ? { to } : {}),
    ...(raw['view'] === 'list' || raw['view'] === 'columns' ? { view: raw['view'] } : {}),
    ...(raw['saves'] === 'every' ? { saves: 'every' } : {}),
  };
}
