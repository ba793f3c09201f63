import { useQuery } from '@tanstack/react-query';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { State } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Note } from '../../parts/note.tsx';
import { Loaded } from '../../parts/states.tsx';
import { listedPrices, priceText } from './price-list.ts';
import type { Settings } from './vendor-fields.ts';

/** What tokens of language models cost, by the operator's price list. */
export function Prices({ used }: { used: Settings | null }) {
  const query = useQuery(get('/organizations/model-configurations/v2/pricing', {}));
  return (
    <Card
      title={
        <>
          {t('models.prices')}
          <span className="text-hint font-normal">{t('models.pricesUnit')}</span>
        </>
      }
    >
      <Loaded query={query} rows={2}>
        {({ models }) => {
          if (models === null)
            return (
              <div className="card-b">
                <Note>{t('models.noPrices')}</Note>
              </div>
            );
          const prices = listedPrices(models, used);
          return (
            <>
              {!prices.some(({ isUsed }) => isUsed) && (
                <div className="card-b">
                  <Note>{t('models.unpriced')}</Note>
                </div>
              )}
              <DataList
                label={t('models.prices')}
                isTall
                rows={prices}
                idOf={({ key }) => key}
                columns={[
                  {
                    id: 'model',
                    label: t('models.field.model'),
                    isMain: true,
                    cell: ({ model, service, isUsed }) => (
                      <span className="flex flex-wrap items-center gap-2">
                        {model}
                        <span className="text-hint text-12 font-normal">{service}</span>
                        {isUsed && <State is="published">{t('models.used')}</State>}
                      </span>
                    ),
                  },
                  {
                    id: 'prompt',
                    label: t('models.price.prompt'),
                    isNumber: true,
                    cell: ({ prompt }) => priceText(prompt),
                  },
                  {
                    id: 'cached',
                    label: t('models.price.cached'),
                    isNumber: true,
                    isWide: true,
                    cell: ({ cachedPrompt }) => priceText(cachedPrompt),
                  },
                  {
                    id: 'completion',
                    label: t('models.price.completion'),
                    isNumber: true,
                    cell: ({ completion }) => priceText(completion),
                  },
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
