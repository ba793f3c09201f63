import { Persona, type PersonaInput } from './persona.ts';
import { shippedPersonas } from './shipped-personas.ts';

/** Which persona answers which number. */
export class PersonaBook {
  #byNumber = new Map<string, Persona[]>();

  /** With several personas, each call to the number gets the next one, and the last one stays. */
  set(number: string, personas: readonly PersonaInput[]): void {
    this.#byNumber.set(
      number,
      personas.map((each) => Persona.parse(each)),
    );
  }

  clear(number?: string): void {
    if (number === undefined) this.#byNumber.clear();
    else this.#byNumber.delete(number);
  }

  /** The persona for the next call to this number. */
  next(number: string): Persona {
    const queue = this.#byNumber.get(number);
    const own = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0];
    return (
      own ??
      Persona.parse(
        shippedPersonas.find(({ endings }) => endings.some((ending) => number.endsWith(ending)))?.persona ?? {
          name: 'says nothing',
          steps: [],
        },
      )
    );
  }
}
