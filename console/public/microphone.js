/* Gives the page what the microphone hears: 16,000 samples per second, 20 ms at a time. */
registerProcessor(
  'microphone',
  class extends AudioWorkletProcessor {
    sum = 0;
    count = 0;
    due = 0;
    out = [];
    process([[samples = []]]) {
      for (const sample of samples) {
        this.sum += sample;
        this.count += 1;
        this.due += 16000;
        if (this.due < sampleRate) continue;
        this.out.push(Math.round((32767 * this.sum) / this.count));
        this.due -= sampleRate;
        this.sum = 0;
        this.count = 0;
      }
      if (this.out.length >= 320) this.port.postMessage(Int16Array.from(this.out.splice(0, 320)));
      return true;
    }
  },
);
