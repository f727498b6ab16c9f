/** A request of a collection, its variables not yet filled in. */
interface CollectedRequest {
  name: string;
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string | undefined;
  /** What runs with its answer. */
  script: string;
}

interface Named {
  name?: string;
  key?: string;
  value: string;
  enabled?: boolean;
  disabled?: boolean;
  type?: string;
}

/** A folder or a request, of Postman (2.1) or of Bruno. */
interface Item {
  name: string;
  item?: Item[];
  items?: Item[];
  event?: { script: { exec: string[] } }[];
  request?: {
    method: string;
    url: string | { raw: string; query: Named[]; variable: Named[] };
    header?: Named[];
    headers?: Named[];
    params?: Named[];
    auth: { bearer?: { token: string } | { value: string }[] };
    body?: { raw?: string; json?: string };
    script?: { res?: string };
  };
}

/** The requests of a collection of Postman or Bruno, as these programs send them: without what is disabled. */
export const collectedRequests = (text: string): CollectedRequest[] => requestsIn(JSON.parse(text) as Item);

const requestsIn = ({ item = [], items = [] }: Item): CollectedRequest[] =>
  [...item, ...items].flatMap((one) => (one.request === undefined ? requestsIn(one) : [toRequest(one, one.request)]));

function toRequest({ name, event = [] }: Item, request: NonNullable<Item['request']>): CollectedRequest {
  const { method, url, header = [], headers = header, params = [], auth, body, script } = request;
  const isSent = ({ enabled = true, disabled = false }: Named): boolean => enabled && !disabled;
  const nameOf = ({ name: one, key = '' }: Named): string => one ?? key;
  const query = (typeof url === 'string' ? params.filter(({ type }) => type === 'query') : url.query).filter(isSent);
  const [path = ''] = (typeof url === 'string' ? url : url.raw).split('?');
  const asked = query.map((one) => `${nameOf(one)}=${one.value}`).join('&');
  const { bearer } = auth;
  const token = Array.isArray(bearer) ? bearer[0]?.value : bearer?.token;
  const content = body?.raw ?? body?.json;
  return {
    name,
    method,
    url: asked === '' ? path : `${path}?${asked}`,
    headers: [
      ...headers.filter(isSent).map((one): [string, string] => [nameOf(one), one.value]),
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as [string, string]]),
      ...(body?.json === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
    ],
    body: content,
    script: [...event.flatMap(({ script: { exec } }) => exec), script?.res ?? ''].join('\n'),
  };
}
