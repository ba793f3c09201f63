import '../../styles/rooms.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Skeleton } from '../../parts/states.tsx';

/** The page of a link that is good once: what it offers, or that it does not work. */
export function OpenedLink<Offer>({
  of,
  token,
  read,
  titleOf,
  onDone,
  children,
}: {
  /** Whose words say that the link does not work. */
  of: 'invitation' | 'newPassword';
  token: string;
  read: (token: string) => Promise<Offer>;
  titleOf: (offer: Offer) => string;
  onDone: () => void;
  children: (offer: Offer) => ReactNode;
}) {
  const query = useQuery({
    queryKey: [of, token],
    queryFn: async () => await read(token),
    retry: false,
    staleTime: Infinity,
  });
  const { data: offer } = query;
  const title = offer === undefined ? t(`${of}.badTitle`) : titleOf(offer);
  useEffect(() => {
    document.title = `${title} · Parlance`;
  }, [title]);
  if (query.isPending) return <Skeleton rows={3} />;
  return (
    <main className="bg-ground grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-[360px]">
        <div className="mb-6 grid justify-items-center gap-3">
          <Mark />
          <h1 className="title text-center">{title}</h1>
        </div>
        <div className="card grid gap-4 p-5">
          {offer === undefined ? (
            <>
              <p>{t(`${of}.bad`)}</p>
              <Button kind="primary" size="lg" onPress={onDone}>
                {t('invitation.onward')}
              </Button>
            </>
          ) : (
            children(offer)
          )}
        </div>
      </div>
    </main>
  );
}
