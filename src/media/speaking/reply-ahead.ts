import type { LiveReply } from './live-reply.ts';
import type { OpenVoice } from './open-voice.ts';

/** What a step takes over when it claims a reply that was asked ahead. */
export interface ClaimedReply {
  reply: LiveReply;
  /** Null when the voice has not been asked. */
  voice: OpenVoice | null;
}

/** A reply that was asked ahead: the model's words, and their first sound once the question is certain. */
export class ReplyAhead {
  readonly #reply: LiveReply;
  #voice: OpenVoice | null = null;
  #isOver = false;

  constructor(reply: LiveReply) {
    this.#reply = reply;
  }

  /**
   * Asks the voice for the first clause as soon as it exists; call this when the question is certain. `open`
   * returns null when there is nothing to ask. `written` is a clause that comes before the model's.
   */
  sound(open: (clause: string) => OpenVoice | null, written?: string): void {
    let isAsked = false;
    const ask = (clause: string) => {
      if (isAsked || this.#isOver) return;
      isAsked = true;
      this.#voice = open(clause);
    };
    if (written === undefined) this.#reply.listen(ask);
    else ask(written);
  }

  claim(): ClaimedReply {
    this.#isOver = true;
    return { reply: this.#reply, voice: this.#voice };
  }

  /** Aborts model and voice, and returns what was aborted. */
  abort(): ClaimedReply {
    const all = this.claim();
    all.reply.abort();
    // guarantee: unclaimed-audio-counted-as-waste
    all.voice?.abort();
    return all;
  }
}
