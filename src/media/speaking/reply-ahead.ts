import type { LiveReply } from './live-reply.ts';
import type { OpenVoice } from './open-voice.ts';

/** What a step takes over of what was asked ahead for it. */
export interface ClaimedReply {
  reply: LiveReply;
  /** Null when the voice was not asked yet. */
  voice: OpenVoice | null;
}

/**
 * The answer to a step that nobody has asked for yet: the model's words, and their first sound once the
 * question is certain.
 */
export class ReplyAhead {
  readonly #reply: LiveReply;
  #voice: OpenVoice | null = null;
  #isOver = false;

  constructor(reply: LiveReply) {
    this.#reply = reply;
  }

  /**
   * The question is certain: the voice is asked for the first clause as soon as there is one. `open` answers
   * null where there is nothing to ask; `written`: a clause that comes before the model's.
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

  /** Breaks everything off, and answers what that was. */
  abort(): ClaimedReply {
    const all = this.claim();
    all.reply.abort();
    // guarantee: voice-nobody-claims-left
    all.voice?.abort();
    return all;
  }
}
