import type { Answered, CustomerRequest } from './port.ts';

/**
 * The request that a redirect asks for, or null when the answer is not a redirect. The method follows the Fetch
 * standard: 303 turns every method except GET into a GET without a body, 301 and 302 do so with a POST, and all
 * others are repeated. Only headers that describe the body go to another origin.
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
  const repeats =
    statusCode === 303 ? request.method === 'GET' : statusCode >= 307 || request.method !== 'POST';
  return {
    ...request,
    url: url.href,
    ...(repeats ? {} : { method: 'GET', body: null }),
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => (describesBody(name) ? repeats : isSameOrigin)),
    ),
  };
}

function describesBody(name: string): boolean {
  return /^content-(?:encoding|language|location|type)$/i.test(name);
}
