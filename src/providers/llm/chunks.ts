import { z } from 'zod';

/**
 * One chunk of a streamed chat completion. Lenient for compatible servers: every field may be absent or null,
 * other fields are ignored, content may be a list of parts, and a whole `message` may replace a `delta`.
 */
const Text = z.union([z.string(), z.array(z.looseObject({ text: z.string().nullish() }))]);

const Delta = z.looseObject({
  content: Text.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown() }).nullish(),
      }),
    )
    .nullish(),
});

export const ChatChunk = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: Delta.nullish(),
        message: Delta.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({
      prompt_tokens: z.number(),
      completion_tokens: z.number().nullish(),
      total_tokens: z.number().nullish(),
      prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
});

export type ChatChunk = z.infer<typeof ChatChunk>;
type ChatDelta = z.infer<typeof Delta>;

/** The text of this piece: its content, or its refusal, which is spoken like any answer. */
export function textOf({ content, refusal }: ChatDelta): string {
  const said = content ?? refusal ?? '';
  return typeof said === 'string' ? said : said.map(({ text }) => text ?? '').join('');
}
