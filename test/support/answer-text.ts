/**
 * The text of an answer. Of a stream of events, which does not end, what it says first: that it is ready, and what its
 * first topic has come to.
 */
export async function answerText(answer: Response): Promise<string> {
  if (answer.body === null || answer.headers.get('content-type') !== 'text/event-stream')
    return await answer.text();
  let text = '';
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.split('\n\n').length > 2) break;
  }
  return text;
}
