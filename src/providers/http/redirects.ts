import type { Answered, CustomerRequest } from './port.ts';

/**
 * The request that a redirect asks for; null if the answer is not a redirect. As in browsers, 307 and 308
 * repeat the request, and the others become a GET without a body. Headers, which may contain a credential,
 * stay with the original origin.
 */
export function redirected(
  request: CustomerRequest,
  { statusCode, headers }: Answered,
): CustomerRequest | null {
  const { location } = headers;
  if (
    ![301, 302, 303, 307, 308].includes(statusCode) ||
    location === undefined ||
    !URL.canParse(location, request.url)
  )
    return null;
  const url = new URL(location, request.url);
  const isSameOrigin = url.origin === new URL(request.url).origin;
  const repeats = statusCode === 307 || statusCode === 308;
  return {
    ...request,
    url: url.href,
    ...(repeats ? {} : { method: 'GET', body: null }),
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => (isContentType(name) ? repeats : isSameOrigin)),
    ),
  };
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type';
}
