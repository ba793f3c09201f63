import { z } from 'zod';
import type { Role } from '../../src/contract/data/scopes.ts';
import { password, type ConsoleSession, type ConsoleWorld } from './console.ts';

const Joined = z.object({
  token: z.string(),
  user: z.looseObject({ id: z.int(), email: z.string(), organization_id: z.int() }),
});

/** Somebody who has joined the world's organization by a link. */
export async function newMember(
  { ask, service }: Pick<ConsoleWorld, 'ask' | 'service'>,
  { email, role, name }: { email: string; role: Role; name: string },
): Promise<ConsoleSession> {
  const { link } = z
    .looseObject({ link: z.string() })
    .parse(await ask('POST', '/organizations/invitations', { email, role }));
  const answer = await fetch(`${service.apiUrl}/api/v1/auth/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).hash.replace(/^#\w+=/, ''), password, name }),
  });
  return Joined.parse(await answer.json());
}
