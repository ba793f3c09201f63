/** As long as a name may be that people give an agent; longer ones of the API stay until they are changed. */
export const maxNameLength = 120;

/** Why a person cannot call an agent so. */
export type NameFault = 'empty' | 'long';

export function nameFault(name: string): NameFault | null {
  const { length } = name.trim();
  if (length === 0) return 'empty';
  return length > maxNameLength ? 'long' : null;
}
