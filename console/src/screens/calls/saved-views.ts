import { useState } from 'react';

export interface SavedView {
  name: string;
  q: string;
}

const key = 'parlance.calls.views';

function read(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter(
          (each): each is SavedView => typeof each?.name === 'string' && typeof each?.q === 'string',
        )
      : [];
  } catch {
    return [];
  }
}

/** The views that this browser has saved; `save` replaces one of the same name. */
export function useSavedViews() {
  const [views, setViews] = useState(read);
  const keep = (next: SavedView[]) => {
    setViews(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // The views then last as long as the page.
    }
  };
  return {
    views,
    save: (view: SavedView) => keep([...views.filter(({ name }) => name !== view.name), view]),
    remove: (name: string) => keep(views.filter((each) => each.name !== name)),
  };
}
