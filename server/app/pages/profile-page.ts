/** The profile as a plain page, for link previews and for people without the client: no script, nothing of others. */
import type { FastifyInstance } from 'fastify';
import { renderSVG } from 'uqr';
import { avatarUrl } from '../../domain/accounts/accounts.ts';
import { selectLive, type LiveRow } from '../../domain/calls/live-calls.ts';
import type { StatusRow } from '../../domain/social/statuses.ts';
import { isNamed, requireTag, TagName, type TagRow } from '../../domain/social/tags.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { selectLatest } from '../../features/profiles/queries.ts';
import { ApiError } from '../../kernel/errors.ts';
import { entityTagOf, isKnown } from '../../kernel/http/etag.ts';
import { compileValidator, object } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { absencePage, escapeHtml, sendPage, writePage } from './public-page.ts';
import { asterSvg, CARD, drawCard, netSvg, skySvg } from './tag-picture.ts';

const checkName = compileValidator(object({ name: TagName }));

/** A picture depends on the name alone, which may go to another tag, so that caches keep it for a day. */
const picture_age_s = 24 * 60 * 60;
/** The pictures that were asked for last: about 10 MB. */
const max_pictures = 200;

/** Adds `/t/{xtag}`, the page of a public or unlisted tag, and its picture. A private tag's are the same 404 as an absent one's. */
export function addProfilePage(http: FastifyInstance, services: Services): void {
  const draw = keepNewest(max_pictures, drawCard);
  http.get<{ Params: { xtag: string } }>('/t/:xtag', async (request, reply) => {
    await services.throttle.take('default', request.ip);
    const viewer = nobody(services);
    const tag = await findTag(request.params.xtag, viewer);
    if (!tag) return sendPage(reply.status(404).header('cache-control', 'no-store'), absent_page);
    reply.header('cache-control', 'public, max-age=60');
    if (tag.name !== request.params.xtag.toLowerCase()) return reply.redirect(`/t/${tag.name}`, 301);
    const [statuses, live] = await Promise.all([
      selectLatest(services.db, tag.id, viewer, false),
      selectLive(services.db, tag.owner.id, viewer),
    ]);
    const page = profilePage({ tag, statuses, live }, services.public_url);
    const etag = entityTagOf(page);
    reply.header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return sendPage(reply, page);
  });
  http.get<{ Params: { xtag: string } }>('/t/:xtag/card.png', async (request, reply) => {
    await services.throttle.take('default', request.ip);
    const tag = await findTag(request.params.xtag, nobody(services));
    if (!tag) throw new ApiError('not_found');
    return reply
      .header('content-type', 'image/png')
      .header('cache-control', `public, max-age=${picture_age_s}`)
      .header('x-content-type-options', 'nosniff')
      .send(await draw(tag.name));
  });
}

/** Remembers what was made for the keys that were asked for last; what is being made is made once. */
function keepNewest<T>(most: number, make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (key) => {
    const made = kept.get(key) ?? make(key);
    kept.delete(key);
    kept.set(key, made);
    made.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return made;
  };
}

const nobody = (services: Services): Viewer => ({ id: '', now: services.clock.now(), services });

async function findTag(name: string, viewer: Viewer): Promise<TagRow | undefined> {
  if (checkName({ name })) return undefined;
  return requireTag(viewer.services.db, isNamed(name.toLowerCase(), viewer.now), viewer).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  });
}

const absent_page = absencePage(
  'Profile not found',
  'The tag may have been renamed or deleted, or it is private. Check how it is written.',
);

function writeMetas(attribute: string, values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `<meta ${attribute}="${name}" content="${escapeHtml(value)}">`)
    .join('');
}

/** What link previews read (the Open Graph protocol; X's cards). */
function writeHead(tag: TagRow, title: string, public_url: string): string {
  const summary = tag.description || `*${tag.name} by ${tag.owner.display_name} on Asterism`;
  const url = `${public_url}/t/${tag.name}`;
  const image = `${url}/card.png`;
  const properties = {
    'og:type': 'profile',
    'og:site_name': 'Asterism',
    'og:title': title,
    'og:description': summary,
    'og:url': url,
    'og:image': image,
    'og:image:type': 'image/png',
    'og:image:width': String(CARD.width),
    'og:image:height': String(CARD.height),
    'og:image:alt': `*${tag.name}`,
  };
  const names = {
    description: summary,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': summary,
    'twitter:image': image,
  };
  const canonical = `<link rel="canonical" href="${escapeHtml(url)}">`;
  return canonical + writeMetas('property', properties) + writeMetas('name', names);
}

function writeQr(address: string): string {
  const drawing = renderSVG(address, { ecc: 'M', border: 1, blackColor: '#191c33' });
  return `<span class="qr" role="img" aria-label="QR code of this page">${drawing}</span>`;
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

function writeStatus({ body, created_at, media }: StatusRow): string {
  const at = new Date(created_at);
  const files =
    media.length === 0 ? '' : `<p class="quiet">${media.length === 1 ? '1 file' : `${media.length} files`}</p>`;
  const words = body === '' ? '' : `<p class="text" dir="auto">${escapeHtml(body)}</p>`;
  return `<li>${words}${files}<time datetime="${at.toISOString()}">${day.format(at)}</time></li>`;
}

type Shown = { tag: TagRow; statuses: StatusRow[]; live: LiveRow | undefined };

function writeCard({ tag, live }: Shown, public_url: string): string {
  const { name, owner, follower_count } = tag;
  const image = avatarUrl(public_url, owner.avatar_key);
  const picture = image ? `<img src="${escapeHtml(image)}" alt="" width="32" height="32">` : '';
  const followers = follower_count === 1 ? '1 follower' : `${follower_count} followers`;
  const people = live?.participant_count === 1 ? '1 person' : `${live?.participant_count ?? 0} people`;
  return (
    `<section class="card">${skySvg(name)}${netSvg(name)}` +
    (live ? `<a class="live" href="/j/${live.join_code}">Live · ${people} talking</a>` : '') +
    `<h1>${asterSvg}<span class="visually-hidden">*</span><bdi>${name}</bdi></h1>` +
    (tag.title ? `<p dir="auto"><strong>${escapeHtml(tag.title)}</strong></p>` : '') +
    (tag.description ? `<p class="text" dir="auto">${escapeHtml(tag.description)}</p>` : '') +
    `<p class="by">${picture}<span><bdi>${escapeHtml(owner.display_name)}</bdi> (@${escapeHtml(owner.username)}) · ${followers}</span></p>` +
    `<p class="acts"><a href="/app/t/${name}">Call, write or follow</a></p></section>`
  );
}

function profilePage(shown: Shown, public_url: string): string {
  const { tag, statuses } = shown;
  const title = tag.title ? `${tag.title} (*${tag.name})` : `*${tag.name}`;
  const address = `${public_url}/t/${tag.name}`;
  const latest =
    statuses.length === 0
      ? '<p class="quiet">No posts yet.</p>'
      : `<ul>${statuses.map((status) => writeStatus(status)).join('')}</ul>`;
  return writePage({
    title,
    head: writeHead(tag, title, public_url),
    is_indexed: tag.visibility === 'public',
    look: 'profile',
    body:
      writeCard(shown, public_url) +
      `<div><section class="bring">${writeQr(address)}<div><strong>Bring someone along</strong>` +
      `<p class="quiet">Scan the code, or send <bdi>${escapeHtml(address.replace(/^https?:\/\//, ''))}</bdi></p></div></section>` +
      `<section class="latest"><h2>Latest</h2>${latest}</section></div>`,
  });
}
