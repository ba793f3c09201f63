import { z } from 'zod';
import type { Role } from '../../src/contract/data/scopes.ts';
import { password, type ConsoleSession, type ConsoleWorld } from './console.ts';

const Joined = z.object({
  token: z.string(),
  user: z.looseObject({ id: z.int(), email: z.string(), organization_id: z.int() }),
});

const Link = z.looseObject({ link: z.string() }).transform(({ link }) => `/${new URL(link).hash}`);

interface Invited {
  email: string;
  role: Role;
}

/** The path of a link by which a person joins the world's organization. */
export const invite = async ({ ask }: Pick<ConsoleWorld, 'ask'>, { email, role }: Invited): Promise<string> =>
  Link.parse(await ask('POST', '/organizations/invitations', { email, role }));

/** The path of a link by which a member of the world's organization chooses another password. */
export const passwordLink = async ({ ask }: Pick<ConsoleWorld, 'ask'>, userId: number): Promise<string> =>
  Link.parse(await ask('POST', `/organizations/members/${userId}/password-link`));

/** Somebody who has joined the world's organization by a link. */
export async function newMember(
  { ask, service }: Pick<ConsoleWorld, 'ask' | 'service'>,
  { email, role, name }: Invited & { name: string },
): Promise<ConsoleSession> {
  const path = await invite({ ask }, { email, role });
  const answer = await fetch(`${service.apiUrl}/api/v1/auth/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: path.replace(/^.*=/, ''), password, name }),
  });
  return Joined.parse(await answer.json());
}
