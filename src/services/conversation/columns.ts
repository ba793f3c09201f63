import type { QueryDeepPartialEntity } from 'typeorm';

/** TypeORM takes a JSON document for a nested entity and refuses its type; the columns of a row are exactly what is given here. */
export function columns<Row>(values: Partial<Row>): QueryDeepPartialEntity<Row> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that says so
  return values as QueryDeepPartialEntity<Row>;
}
