/** The profile as a plain page, for link previews and for people without the client: no script, nothing of others. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { avatarUrl } from '../../domain/accounts/accounts.ts';
import { isNamed, requireTag, TagName, type TagRow } from '../../domain/social/tags.ts';
import { ApiError } from '../../kernel/errors.ts';
import { entityTagOf, isKnown } from '../../kernel/http/etag.ts';
import { compileValidator, object } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}img{border-radius:50%}p{overflow-wrap:anywhere}';
const style_hash = createHash('sha256').update(style).digest('base64');
const content_security_policy = `default-src 'none'; img-src 'self'; style-src 'sha256-${style_hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const checkName = compileValidator(object({ name: TagName }));

/** Adds `/t/{xtag}`: the page of a public or unlisted tag. A private tag's page is the same 404 as an absent one's. */
export function addProfilePage(http: FastifyInstance, services: Services): void {
  http.get<{ Params: { xtag: string } }>('/t/:xtag', async (request, reply) => {
    await services.throttle.take('default', request.ip);
    const tag = await findTag(services, request.params.xtag);
    if (!tag) return sendPage(reply.status(404).header('cache-control', 'no-store'), absent_page);
    reply.header('cache-control', 'public, max-age=60');
    if (tag.name !== request.params.xtag.toLowerCase()) return reply.redirect(`/t/${tag.name}`, 301);
    const page = profilePage(tag, services.public_url);
    const etag = entityTagOf(page);
    reply.header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return sendPage(reply, page);
  });
}

async function findTag(services: Services, name: string): Promise<TagRow | undefined> {
  if (checkName({ name })) return undefined;
  const nobody = { id: '', now: services.clock.now(), services };
  return requireTag(services.db, isNamed(name.toLowerCase(), nobody.now), nobody).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', content_security_policy)
    .header('referrer-policy', 'no-referrer')
    .send(page);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in an element or in a quoted attribute (HTML standard, section 13.3). */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '');

const layout = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<style>${style}</style></head><body>${body}</body></html>\n`;

const absent_page = layout(
  '<title>Not found · Asterism</title><meta name="robots" content="noindex">',
  '<h1>Profile not found</h1><p><a href="/app/">Asterism</a></p>',
);

function profilePage(tag: TagRow, public_url: string): string {
  const title = tag.title ? `${tag.title} (*${tag.name})` : `*${tag.name}`;
  const summary = tag.description || `*${tag.name} by ${tag.owner.display_name} on Asterism`;
  const url = `${public_url}/t/${tag.name}`;
  const image = avatarUrl(public_url, tag.owner.avatar_key);
  const properties = {
    'og:type': 'profile',
    'og:site_name': 'Asterism',
    'og:title': title,
    'og:description': summary,
    'og:url': url,
    ...(image ? { 'og:image': image } : {}),
  };
  const names = {
    description: summary,
    'twitter:card': 'summary',
    'twitter:title': title,
    'twitter:description': summary,
    ...(image ? { 'twitter:image': image } : {}),
    ...(tag.visibility === 'public' ? {} : { robots: 'noindex' }),
  };
  const metas = (attribute: string, values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `<meta ${attribute}="${name}" content="${escapeHtml(value)}">`)
      .join('');
  const followers = tag.follower_count === 1 ? '1 follower' : `${tag.follower_count} followers`;
  const head = `<title>${escapeHtml(title)} · Asterism</title><link rel="canonical" href="${escapeHtml(url)}">`;
  const picture = image ? `<img src="${escapeHtml(image)}" alt="" width="96" height="96">` : '';
  return layout(
    head + metas('property', properties) + metas('name', names),
    `${picture}<h1>${escapeHtml(title)}</h1><p>${escapeHtml(tag.owner.display_name)} (@${escapeHtml(tag.owner.username)}) · ${followers}</p>` +
      `<p>${escapeHtml(tag.description)}</p><p><a href="/app/t/${tag.name}">Open in Asterism</a></p>`,
  );
}
