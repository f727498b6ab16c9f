import type { FastifyRequest } from 'fastify';
import { labelOf } from './catalogue/words.ts';
import { askApi, CONSOLE } from './session.ts';

/** Something that was found, and its page. */
export interface Found {
  what: string;
  called: string;
  address: string;
}

/** What a text may name, as the operation `search` finds it; or why that was refused. */
export async function search(request: FastifyRequest, typed: string): Promise<{ found: Found[]; refusal?: string }> {
  const { status, body } = await askApi(request, { method: 'POST', path: '/search', body: { q: typed } });
  if (status !== 200) return { found: [], refusal: (body as { message: string }).message };
  const { items } = body as { items: { kind: string; title: string; where: string }[] };
  const found = items.map(({ kind, title, where }) => ({
    what: labelOf(kind),
    called: title,
    address: `${CONSOLE}${where}`,
  }));
  return { found };
}
