/** The profile as a plain page, for link previews and people without the client: no scripts, no third parties. */
import type { FastifyInstance } from 'fastify';
import { avatarUrl } from '../../domain/accounts/accounts.ts';
import { selectLive, type LiveRow } from '../../domain/calls/live-calls.ts';
import type { StatusRow } from '../../domain/social/statuses.ts';
import { requireTagByName, TagName, type TagRow } from '../../domain/social/tags.ts';
import type { Viewer } from '../../domain/visibility/viewer.ts';
import { selectLatest } from '../../features/profiles/queries.ts';
import { ApiError } from '../../kernel/errors.ts';
import { etagOf, matchesEtag } from '../../kernel/etag.ts';
import { languageOfRequest, localeOfRequest } from '../../kernel/language/accept-language.ts';
import { i18nOf, type Language } from '../../kernel/language/i18n.ts';
import { object } from '../../kernel/schema.ts';
import { compileValidator } from '../../kernel/validation.ts';
import type { Services } from '../../kernel/services.ts';
import { writeShareSection } from './link-code.ts';
import { writePreview, type DrawPicture } from './link-preview.ts';
import { absencePage, escapeHtml, sendPage, writePage } from './public-page.ts';
import { asterSvg, drawCard, netSvg, skySvg } from './tag-picture.ts';

const checkName = compileValidator(object({ name: TagName }));

/** A picture depends only on the name, which may move to another tag, so that caches keep it for a day. */
const picture_age_s = 24 * 60 * 60;

/**
 * Adds `/t/{xtag}`, the page of a public or unlisted tag, and its picture. A private tag is answered with the same 404
 * as an absent one.
 */
export function addProfilePage(http: FastifyInstance, services: Services, pictures: DrawPicture): void {
  http.get<{ Params: { xtag: string } }>('/t/:xtag', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const viewer = nobody(services);
    const language = languageOfRequest(request);
    const tag = await findTag(request.params.xtag, viewer);
    if (!tag) return sendPage(reply.status(404).header('cache-control', 'no-store'), absentPage(language));
    // Caches ask each time: the tag may have been made private.
    reply.header('cache-control', 'public, no-cache').header('vary', 'Accept-Language, Accept-Encoding');
    if (tag.name !== request.params.xtag.toLowerCase()) return reply.redirect(`/t/${tag.name}`, 301);
    const [statuses, live] = await Promise.all([
      selectLatest(services.db, tag.id, viewer, false),
      selectLive(services.db, tag.owner.id, viewer),
    ]);
    const page = profilePage({ language, locale: localeOfRequest(request), tag, statuses, live }, services.public_url);
    const etag = etagOf(page);
    // Weak, since it is the same in every encoding (RFC 9110, section 8.8.1).
    reply.header('etag', `W/${etag}`);
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return sendPage(reply, page);
  });
  http.get<{ Params: { xtag: string } }>('/t/:xtag/card.png', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const tag = await findTag(request.params.xtag, nobody(services));
    if (!tag) throw new ApiError('not_found');
    const picture = await pictures(`tag ${tag.name}`, request.ip, () => drawCard(tag.name));
    return reply
      .header('content-type', 'image/png')
      .header('cache-control', `public, max-age=${picture_age_s}`)
      .header('x-content-type-options', 'nosniff')
      .send(picture);
  });
}

const nobody = (services: Services): Viewer => ({ id: '', now: services.clock.now(), services });

async function findTag(name: string, viewer: Viewer): Promise<TagRow | undefined> {
  if (checkName({ name })) return undefined;
  return requireTagByName(viewer.services.db, name, viewer).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  });
}

function absentPage(language: Language): string {
  const i18n = i18nOf(language);
  return absencePage(
    language,
    i18n.t('Profile not found'),
    i18n.t('The tag may have been renamed or deleted, or it is private. Check how it is written.'),
  );
}

/** Metadata for link previews. */
function writeHead({ tag, language }: Shown, title: string, public_url: string): string {
  const i18n = i18nOf(language);
  const { name, owner } = tag;
  const summary = tag.description || i18n.t('*{name} by {owner} on Asterism', { name, owner: owner.display_name });
  const url = `${public_url}/t/${name}`;
  return writePreview({ language, type: 'profile', title, summary, url, image_alt: `*${name}` });
}

function writeStatus({ body, created_at, media }: StatusRow, language: Language, day: Intl.DateTimeFormat): string {
  const at = new Date(created_at);
  const count = media.length;
  const i18n = i18nOf(language);
  const said = i18n.t('{count, plural, one {# file} other {# files}}', { count });
  const files = count === 0 ? '' : `<p class="quiet">${said}</p>`;
  const text = body === '' ? '' : `<p class="text" dir="auto">${escapeHtml(body)}</p>`;
  return `<li>${text}${files}<time datetime="${at.toISOString()}">${day.format(at)}</time></li>`;
}

type Shown = { language: Language; locale: string; tag: TagRow; statuses: StatusRow[]; live: LiveRow | undefined };

function writeCard({ language, tag, live }: Shown, public_url: string): string {
  const { name, owner, follower_count } = tag;
  const image = avatarUrl(public_url, owner.avatar_key);
  const picture = image ? `<img src="${escapeHtml(image)}" alt="" width="32" height="32">` : '';
  const i18n = i18nOf(language);
  const followers = i18n.t('{count, plural, one {# follower} other {# followers}}', { count: follower_count });
  const talking = i18n.t('{count, plural, one {Live · # person talking} other {Live · # people talking}}', {
    count: live?.participant_count ?? 0,
  });
  return (
    `<section class="card">${skySvg(name)}${netSvg(name)}` +
    (live ? `<a class="live" href="/j/${live.join_code}">${talking}</a>` : '') +
    `<h1 dir="ltr">${asterSvg}<span class="visually-hidden">*</span><bdi>${name}</bdi></h1>` +
    (tag.title ? `<p dir="auto"><strong>${escapeHtml(tag.title)}</strong></p>` : '') +
    (tag.description ? `<p class="text" dir="auto">${escapeHtml(tag.description)}</p>` : '') +
    `<p class="by">${picture}<span><bdi>${escapeHtml(owner.display_name)}</bdi> <bdi>(@${escapeHtml(owner.username)})</bdi> · ${followers}</span></p>` +
    `<p class="acts"><a href="/app/t/${name}">${i18n.t('Call, write or follow')}</a></p></section>`
  );
}

function profilePage(shown: Shown, public_url: string): string {
  const { language, locale, tag, statuses } = shown;
  const i18n = i18nOf(language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const title = tag.title ? `${tag.title} (*${tag.name})` : `*${tag.name}`;
  const address = `${public_url}/t/${tag.name}`;
  const latest =
    statuses.length === 0
      ? `<p class="quiet">${i18n.t('No posts yet.')}</p>`
      : `<ul>${statuses.map((status) => writeStatus(status, language, day)).join('')}</ul>`;
  return writePage({
    language,
    title,
    head: writeHead(shown, title, public_url),
    is_indexed: tag.visibility === 'public',
    look: 'profile',
    body:
      writeCard(shown, public_url) +
      `<div>${writeShareSection(address, language)}` +
      `<section class="latest"><h2>${i18n.t('Latest')}</h2>${latest}</section></div>`,
  });
}
