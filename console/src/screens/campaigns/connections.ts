import { useQuery } from '@tanstack/react-query';
import { get } from '../../app/query.ts';

/** The organization's connections, and the one that a campaign uses: the chosen one, else the default. */
export function useConnections(chosen: number | null) {
  const query = useQuery(get('/organizations/telephony-configs', {}));
  const all = query.data?.configurations ?? [];
  const connection =
    all.find(({ id }) => id === chosen) ?? all.find((each) => each.is_default_outbound) ?? all[0] ?? null;
  const phoneNumbers = useQuery({
    ...get('/organizations/telephony-configs/{telephony_configuration_id}/phone-numbers', {
      params: { telephony_configuration_id: connection?.id ?? 0 },
    }),
    enabled: connection !== null,
  });
  return {
    query,
    all,
    /** Null if there is none. */
    connection,
    /** Active numbers of the connection; undefined while they are asked for. */
    numbers: phoneNumbers.data?.phone_numbers.filter((each) => each.is_active),
  };
}
