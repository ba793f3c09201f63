import { z } from 'zod';
import { findJsonObject } from '../../../../domain/models/json-answer.ts';
import type { NodeJudgment } from '../../../../domain/qa/annotation.ts';

const maxTags = 50;
const Score = z.number().min(1).max(10);
const Sentiment = z.string().trim().min(1).max(100);
const Tag = z
  .union([z.string(), z.looseObject({ tag: z.string() }).transform(({ tag }) => tag)])
  .pipe(z.string().trim().min(1).max(100));
const Tags = z.array(Tag);

/** The JSON that our own instructions ask for. */
const StockAnswer = z.looseObject({
  call_quality_score: Score,
  overall_sentiment: z.enum(['positive', 'neutral', 'negative']),
  summary: z.string().trim().min(1),
  tags: Tags,
});

/** Customers with instructions of their own choose the JSON. Fields with our names and types are read. */
const OwnAnswer = z.looseObject({
  call_quality_score: Score.nullable().catch(null),
  score: Score.nullable().catch(null),
  overall_sentiment: Sentiment.nullable().catch(null),
  summary: z.string().catch(''),
  tags: Tags.catch([]),
});

/**
 * Reads the model's answer about one node; null when it cannot be used. `isStock`: the model had our own
 * instructions.
 */
export function readJudgment(
  text: string,
  { nodeName, isStock }: { nodeName: string; isStock: boolean },
): NodeJudgment | null {
  const answer = findJsonObject(text);
  if (answer === null) return null;
  const stock = isStock ? StockAnswer.safeParse(answer) : null;
  if (stock?.success === false) return null;
  const {
    call_quality_score: quality,
    score,
    overall_sentiment: sentiment,
    summary,
    tags,
  } = OwnAnswer.parse(answer);
  return {
    node_name: nodeName,
    score: quality ?? score,
    overall_sentiment: sentiment,
    summary,
    tags: [...new Set(tags)].slice(0, maxTags),
    answer,
  };
}
