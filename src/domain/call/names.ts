/** The origins of calls that the service names. */
export type NamedOrigin = 'trigger' | 'trigger_test' | 'initiated' | 'inbound' | 'text';

/** A random integer in `[0, below)`. */
export type Random = (below: number) => number;

/**
 * A name of contract 6.3: `WR-API-4859`, `WR-TEST-0031`, `WR-TEL-OUT-76324417`, `WR-TEL-IN-00120034`,
 * `WR-TEXT-0A1B2C`. Names are not unique.
 */
export function callName(origin: NamedOrigin, random: Random): string {
  switch (origin) {
    case 'trigger':
      return `WR-API-${digits(4, random)}`;
    case 'trigger_test':
      return `WR-TEST-${digits(4, random)}`;
    case 'initiated':
      return `WR-TEL-OUT-${digits(8, random)}`;
    case 'inbound':
      return `WR-TEL-IN-${digits(8, random)}`;
    case 'text':
      return `WR-TEXT-${random(0x1000000).toString(16).toUpperCase().padStart(6, '0')}`;
  }
}

const digits = (count: number, random: Random): string => String(random(10 ** count)).padStart(count, '0');
