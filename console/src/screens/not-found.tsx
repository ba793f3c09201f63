import { Link } from '@tanstack/react-router';
import { t } from '../app/words.ts';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';

export function NotFound() {
  return (
    <Page title={t('common.notFound')}>
      <Empty
        title={t('common.notFound')}
        action={
          <Link to="/" className="btn">
            {t('common.goHome')}
          </Link>
        }
      >
        {t('common.notFoundWhy')}
      </Empty>
    </Page>
  );
}
