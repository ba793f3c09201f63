import { get } from '../../app/query.ts';

export const overviews = get('/workflow/overview', { query: { limit: 500 } });
export const folders = get('/folder/', {});
