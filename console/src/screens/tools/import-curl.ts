import { isObject } from '../../../../src/domain/graph/definition.ts';
import { type ImportedTool, isSecretName, methodOf, NotImported, typeOf } from './imported.ts';

/** Options with the data of the request. */
const ofData: ReadonlySet<string> = new Set([
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-ascii',
  '--json',
]);
/** Options that take a value; the others stand alone. */
const withValue: ReadonlySet<string> = new Set([
  ...ofData,
  ...'-X --request -H --header --url --data-urlencode -u --user -A --user-agent -b --cookie'.split(' '),
  ...'-e --referer -F --form -T --upload-file -x --proxy -o --output -m --max-time'.split(' '),
  ...'--connect-timeout --retry -w --write-out'.split(' '),
]);

/**
 * The tool of a curl command, as people copy it from documentation or a browser. The keys of a JSON body, of a
 * form or of the query become arguments, with the given values as examples. Throws NotImported.
 */
export function readCurl(command: string): ImportedTool {
  const { addresses, options } = optionsOf(wordsOf(command));
  const all = (...names: string[]) =>
    options.flatMap(([name, value]) => (names.includes(name) ? [value] : []));
  if (all('-F', '--form', '-T', '--upload-file').length > 0) throw new NotImported('file');
  const address = addressOf(all('--url')[0] ?? addresses[0]);
  const data = options.flatMap(([name, value]) => (ofData.has(name) ? [value] : []));
  const isQuery = options.some(([name]) => name === '-G' || name === '--get');
  const pairs = [...data, ...all('--data-urlencode')].join('&');
  const method = methodOf(all('-X', '--request').at(-1) ?? (pairs === '' || isQuery ? 'GET' : 'POST'));
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const examples = takesBody ? examplesOf(pairs) : Object.fromEntries(address.searchParams);
  if (isQuery) Object.assign(examples, Object.fromEntries(new URLSearchParams(pairs)));
  if (!takesBody) address.search = '';
  const hasUser = address.username !== '' || all('-u', '--user').length > 0;
  [address.username, address.password] = ['', ''];
  const headers = all('-H', '--header').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  const kept = headers.filter(
    ([name]) => !isSecretName(name) && !/^(content-type|accept|content-length|host)$/i.test(name),
  );
  return {
    name: `${method} ${decodeURI(address.pathname)}`,
    description: '',
    definition: {
      type: 'http_api',
      config: {
        method,
        url: withVariables(address),
        headers: Object.fromEntries(kept),
        parameters: Object.entries(examples).map(([name, value]) => ({
          name,
          type: typeOf(value),
          description: exampleOf(name, value),
          required: true,
        })),
      },
    },
    secrets: [
      ...headers.map(([name]) => name).filter(isSecretName),
      ...(hasUser ? ['Authorization'] : []),
      ...(all('-b', '--cookie').length > 0 ? ['Cookie'] : []),
    ],
    fromCall: [],
  };
}

function exampleOf(name: string, value: unknown): string {
  const isTold =
    ['string', 'number', 'boolean'].includes(typeof value) && value !== '' && !isSecretName(name);
  return isTold ? `For example ${String(value)}` : '';
}

function addressOf(text: string | undefined): URL {
  if (text === undefined) throw new NotImported('no_address');
  try {
    return new URL(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  } catch {
    throw new NotImported('no_address');
  }
}

/** Without the encoding of braces, which are variables of a tool's URL. */
const withVariables = ({ href }: URL): string => href.replaceAll('%7B', '{').replaceAll('%7D', '}');

/** The body by name: of JSON, else of a form. */
function examplesOf(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return isObject(parsed) ? { ...parsed } : {};
  } catch {
    return body.includes('=') ? Object.fromEntries(new URLSearchParams(body)) : {};
  }
}

/** `-XPOST` and `--request=POST` are `-X POST`; `-sSL` is `-s -S -L`. */
function optionsOf(words: readonly string[]): { addresses: string[]; options: [string, string][] } {
  const addresses: string[] = [];
  const options: [string, string][] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      addresses.push(word);
      continue;
    }
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    if (equals > 0) options.push([word.slice(0, equals), word.slice(equals + 1)]);
    else if (withValue.has(word)) options.push([word, words[(at += 1)] ?? '']);
    else if (word.startsWith('--')) options.push([word, '']);
    else at += short(word, words[at + 1] ?? '', options);
  }
  return { addresses, options };
}

/** Reads one word of short options, and answers whether it took the next word. */
function short(word: string, next: string, options: [string, string][]): 0 | 1 {
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at]}`;
    const rest = word.slice(at + 1);
    if (!withValue.has(name)) options.push([name, '']);
    else {
      options.push([name, rest === '' ? next : rest]);
      return rest === '' ? 1 : 0;
    }
  }
  return 0;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The words of a shell command: quotes, `$'…'`, and lines that go on after `\` or `^`. */
function wordsOf(command: string): string[] {
  const text = command.replace(/^\$\s*/, '').replaceAll(/[\\^]\r?\n/g, ' ');
  const words: string[] = [];
  const piece = /\s+|'([^']*)'|\$'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\$]+|\$)/gy;
  let isOpen = false;
  for (const [whole, single, ansi, double, escaped, plain] of text.matchAll(piece)) {
    if (/^\s+$/.test(whole)) {
      isOpen = false;
      continue;
    }
    if (/^[|;&<>]/.test(plain ?? '') && !isOpen) break;
    const part =
      single ??
      ansi?.replaceAll(/\\([^])/g, (_, letter: string) => escapes[letter] ?? letter) ??
      double?.replaceAll(/\\(["\\$`])/g, '$1') ??
      escaped ??
      plain ??
      '';
    words.push(isOpen ? `${words.pop() ?? ''}${part}` : part);
    isOpen = true;
  }
  return words;
}
