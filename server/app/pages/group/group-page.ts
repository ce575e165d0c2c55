/** `/g/{token}`: the link of a group. It leads to the client, and has a preview for messengers, which do not run scripts. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { findGroupPicture, openGroupLink } from '../../../domain/contacts/public-group.ts';
import { isLinkToken, requireLink, type LinkRow } from '../../../domain/public-links/links.ts';
import { ApiError, fail, found } from '../../../kernel/errors.ts';
import { languageOfRequest } from '../../../kernel/language/accept-language.ts';
import { i18nOf, type Language } from '../../../kernel/language/i18n.ts';
import type { Services } from '../../../kernel/services.ts';
import { drawGroupCard } from './group-picture.ts';
import { writePreview, type DrawPicture } from '../link-preview.ts';
import { escapeHtml, sendPage, writePage } from '../public-page.ts';
import { netSvg, skySvg } from '../tag-picture.ts';

type PublicGroup = Awaited<ReturnType<typeof openGroupLink>>;
type Params = { Params: { token: string } };

/** Adds the address of the links of groups, the picture of the group, and the picture of its preview. */
export function addGroupLinkPage(http: FastifyInstance, services: Services, pictures: DrawPicture): void {
  http.get<Params>('/g/:token', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const { token } = request.params;
    // The address contains a secret: it is neither cached nor sent as referrer.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const group = await openGroup(services, token);
    // The page of the client says that the link was removed.
    if (group === undefined) return reply.redirect(clientPath(token));
    return sendPage(reply, groupPage(group, token, services.public_url, languageOfRequest(request)));
  });
  http.get<Params>('/g/:token/picture', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const { etag, content_type, open } = found(await findPicture(services, await findLink(services, request.params)));
    reply.headers({ ...picture_headers, 'content-security-policy': "default-src 'none'", etag });
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.header('content-type', content_type).send(await open());
  });
  http.get<Params>('/g/:token/card.png', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const link = await findLink(services, request.params);
    const { name } = await openGroupLink(services.db, link, services);
    const picture = await findPicture(services, link);
    const key = `group ${JSON.stringify([name, picture?.etag])}`;
    const card = await pictures(key, request.ip, async () =>
      drawGroupCard(name, picture && (await buffer(await picture.open()))),
    );
    return reply.headers(picture_headers).header('content-type', 'image/png').send(card);
  });
}

/** The picture and the name may change, and the link may be removed. */
const picture_headers = {
  'cache-control': 'private, no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const clientPath = (token: string) => `/app/join-group/${token}`;

/** @throws ApiError `not_found` for what cannot be a token, `gone` */
async function findLink({ db, clock }: Services, { token }: { token: string }): Promise<LinkRow> {
  return isLinkToken(token) ? requireLink(db, token, clock.now(), 'group') : fail('not_found');
}

async function openGroup(services: Services, token: string): Promise<PublicGroup | undefined> {
  try {
    return await openGroupLink(services.db, await findLink(services, { token }), services);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'gone') return undefined;
    throw error;
  }
}

type StoredPicture = { etag: string; content_type: string; open: () => Promise<Readable> };

async function findPicture(services: Services, link: LinkRow): Promise<StoredPicture | undefined> {
  const picture = await findGroupPicture(services.db, link);
  return picture && { ...picture, open: async () => found(await services.blobs.get(picture.key)).body };
}

/**
 * The page that messengers read for the preview of a link; a browser opens the client at once. A redirect would show
 * messengers the page that all addresses of the client have in common.
 */
function groupPage(group: PublicGroup, token: string, public_url: string, language: Language): string {
  const i18n = i18nOf(language);
  const { name, description, people_count, avatar_url } = group;
  const members = i18n.t('{count, plural, one {# member} other {# members}}', { count: people_count });
  const to = escapeHtml(clientPath(token));
  const preview = writePreview({
    language,
    type: 'website',
    title: name,
    summary: description || i18n.t('You are invited to this group.'),
    url: `${public_url}/g/${token}`,
    image_alt: name,
  });
  const picture = avatar_url ? `<img src="${escapeHtml(avatar_url)}" alt="" width="96" height="96">` : '';
  return writePage({
    language,
    title: name,
    head: `<meta http-equiv="refresh" content="0;url=${to}">${preview}`,
    look: 'profile',
    body:
      `<section class="card event">${skySvg(name)}${avatar_url ? '' : netSvg(name)}` +
      `${picture}<h1 dir="auto">${escapeHtml(name)}</h1><p class="place">${members}</p>` +
      `<p class="acts"><a href="${to}">${i18n.t('Open Asterism')}</a></p></section>` +
      (description ? `<div><p class="text about" dir="auto">${escapeHtml(description)}</p></div>` : ''),
  });
}
