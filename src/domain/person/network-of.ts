/**
 * The network of an address, for limits: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * one household has all the rest. IPv4 in IPv6 counts as IPv4.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const all =
    tail === undefined
      ? before
      : [
          ...before,
          ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'),
          ...after,
        ];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
