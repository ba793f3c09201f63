import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface PageLinkProps {
  /** Path of the page as the router names it, such as `/calls/$agentId/$runId`. */
  to: string;
  params?: Record<string, string>;
  search?: Record<string, unknown>;
  className?: string;
  children: ReactNode;
}

/** Whether this console has the page. */
export function useHasPage(to: string): boolean {
  return to in useRouter().routesByPath;
}

/** A link to a page of the console; the bare words if this console does not have that page. */
export function PageLink({ to, params, search, className, children }: PageLinkProps) {
  if (!useHasPage(to)) return <span className={className}>{children}</span>;
  return (
    <Link
      to={to}
      {...(params === undefined ? {} : { params: params as never })}
      {...(search === undefined ? {} : { search: search as never })}
      {...(className === undefined ? {} : { className })}
    >
      {children}
    </Link>
  );
}
