/** Public calendar pages: the feed that other calendars subscribe to, and the page of a shared event. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { presentPublicEvent, requirePublicEvent } from '../../../domain/calendar/public-event.ts';
import { isLinkToken, requireLink } from '../../../domain/public-links/links.ts';
import { writeCalendar } from '../../../features/calendar/rules/calendar-text.ts';
import { readFeedFile } from '../../../features/calendar/rules/feed-file.ts';
import { ApiError, fail } from '../../../kernel/errors.ts';
import { etagOf, matchesEtag } from '../../../kernel/etag.ts';
import { languageOfRequest, localeOfRequest } from '../../../kernel/language/accept-language.ts';
import { i18nOf, type Language } from '../../../kernel/language/i18n.ts';
import type { Services } from '../../../kernel/services.ts';
import { eventPage, pictureOf } from './event-page.ts';
import { drawEventCard } from './event-picture.ts';
import type { DrawPicture } from '../link-preview.ts';
import { absencePage, sendPage } from '../public-page.ts';

/** Adds `/calendar/{token}.ics`, `/e/{token}`, `/e/{token}.ics` and the picture of an event. */
export function addCalendarPages(http: FastifyInstance, services: Services, pictures: DrawPicture): void {
  http.get<{ Params: { file: string } }>('/calendar/:file', async (request, reply) => {
    await services.throttle.consume('feed', request.ip);
    const token = tokenOf(request.params.file, true);
    const { etag, text } = await readFeedFile(services, token, request.headers['if-none-match']);
    return sendFile(reply, etag, text);
  });
  http.get<{ Params: { file: string } }>('/e/:file', async (request, reply) => {
    await services.throttle.consume('feed', request.ip);
    const { file } = request.params;
    return file.endsWith('.ics')
      ? sendEventFile(services, reply, tokenOf(file, true), request.headers['if-none-match'])
      : sendEventPage(services, reply, tokenOf(file, false), {
          language: languageOfRequest(request),
          locale: localeOfRequest(request),
        });
  });
  http.get<{ Params: { file: string } }>('/e/:file/card.png', async (request, reply) => {
    await services.throttle.consume('feed', request.ip);
    const shown = pictureOf(await readEvent(services, tokenOf(request.params.file, false)));
    const picture = await pictures(`event ${JSON.stringify(shown)}`, request.ip, () => drawEventCard(shown));
    return (
      reply
        .header('content-type', 'image/png')
        // The event may change, and its link may be removed.
        .header('cache-control', 'private, no-cache')
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .send(picture)
    );
  });
}

/** The event of a link. @throws ApiError `gone` */
async function readEvent(services: Services, token: string): Promise<ReturnType<typeof presentPublicEvent>> {
  const { db, clock } = services;
  return presentPublicEvent(await requirePublicEvent(db, await requireLink(db, token, clock.now(), 'event')), {
    services,
  });
}

/** @throws ApiError `not_found` for a name that cannot be a token */
function tokenOf(file: string, is_file: boolean): string {
  if (is_file && !file.endsWith('.ics')) fail('not_found');
  const token = is_file ? file.slice(0, -'.ics'.length) : file;
  return isLinkToken(token) ? token : fail('not_found');
}

/** Sends a calendar, or 304 when the client has it. Caches must revalidate each time. */
function sendFile(reply: FastifyReply, etag: string, text: string | undefined): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'private, no-cache').header('referrer-policy', 'no-referrer');
  if (text === undefined) return reply.status(304).send();
  return reply
    .header('content-type', 'text/calendar; charset=utf-8')
    .header('content-disposition', 'inline; filename="asterism.ics"')
    .header('x-content-type-options', 'nosniff')
    .send(text);
}

async function sendEventFile(
  services: Services,
  reply: FastifyReply,
  token: string,
  if_none_match: string | undefined,
): Promise<FastifyReply> {
  const { db, clock, public_url } = services;
  const row = await requirePublicEvent(db, await requireLink(db, token, clock.now(), 'event'));
  const text = await writeCalendar([row], { host: new URL(public_url).hostname, public_url });
  const etag = etagOf(text);
  return sendFile(reply, etag, matchesEtag(if_none_match, etag) ? undefined : text);
}

async function sendEventPage(
  services: Services,
  reply: FastifyReply,
  token: string,
  reader: { language: Language; locale: string },
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    const url = `${services.public_url}/e/${token}`;
    return sendPage(reply, eventPage(await readEvent(services, token), url, reader));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'gone')
      return sendPage(reply.status(410), gonePage(reader.language));
    throw error;
  }
}

function gonePage(language: Language): string {
  const i18n = i18nOf(language);
  return absencePage(
    language,
    i18n.t('This event is no longer shared'),
    i18n.t('The owner removed the link or deleted the event.'),
  );
}
