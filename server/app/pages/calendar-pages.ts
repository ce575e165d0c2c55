/** Public calendar pages: the feed that other calendars subscribe to, and the page of a shared event. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { presentPublicEvent, requirePublicEvent } from '../../domain/calendar/public-event.ts';
import { isLinkToken, requireLink } from '../../domain/public-links/links.ts';
import { writeCalendar } from '../../features/calendar/rules/calendar-text.ts';
import { readFeed } from '../../features/calendar/rules/feed-file.ts';
import { ApiError, fail } from '../../kernel/errors.ts';
import { etagOf, matchesEtag } from '../../kernel/etag.ts';
import { languageOfRequest } from '../../kernel/language/accept-language.ts';
import { localeOf, i18nOf, type Language } from '../../kernel/language/i18n.ts';
import type { Services } from '../../kernel/services.ts';
import { absencePage, escapeHtml, sendPage, writePage } from './public-page.ts';

/** Adds `/calendar/{token}.ics`, `/e/{token}` and `/e/{token}.ics`. */
export function addCalendarPages(http: FastifyInstance, services: Services): void {
  http.get<{ Params: { file: string } }>('/calendar/:file', async (request, reply) => {
    await services.throttle.consume('feed', request.ip);
    const token = tokenOf(request.params.file, true);
    const { etag, text } = await readFeed(services, token, request.headers['if-none-match']);
    return sendFile(reply, etag, text);
  });
  http.get<{ Params: { file: string } }>('/e/:file', async (request, reply) => {
    await services.throttle.consume('feed', request.ip);
    const { file } = request.params;
    return file.endsWith('.ics')
      ? sendEventFile(services, reply, tokenOf(file, true), request.headers['if-none-match'])
      : sendEventPage(services, reply, tokenOf(file, false), languageOfRequest(request));
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
  language: Language,
): Promise<FastifyReply> {
  const { db, clock } = services;
  reply.header('cache-control', 'no-store');
  try {
    const row = await requirePublicEvent(db, await requireLink(db, token, clock.now(), 'event'));
    return sendPage(reply, eventPage(presentPublicEvent(row, services), token, language));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'gone') return sendPage(reply.status(410), gonePage(language));
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

type Shown = ReturnType<typeof presentPublicEvent>;

/** A time span as text, in the event's own zone. */
function writeWhen(
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
  event: Shown,
  locale: string,
): string {
  if (event.all_day) {
    const last = new Date(Date.parse(ends_at) - 1);
    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
    return day.formatRange(new Date(starts_at), last);
  }
  const clock = { dateStyle: 'full', timeStyle: 'short', timeZone: event.timezone } as const;
  return `${new Intl.DateTimeFormat(locale, clock).formatRange(new Date(starts_at), new Date(ends_at))} (${event.timezone})`;
}

function eventPage(event: Shown, token: string, language: Language): string {
  const i18n = i18nOf(language);
  const say = (span: { starts_at: string; ends_at: string }) => writeWhen(span, event, localeOf(language));
  const paragraph = (text: string | null) => (text ? `<p class="text" dir="auto">${escapeHtml(text)}</p>` : '');
  const is_recurring = event.rrule !== null;
  const when = is_recurring && event.next ? i18n.t('Next: {when}', { when: say(event.next) }) : say(event);
  const by = `<bdi>${escapeHtml(event.owner.display_name)}</bdi> <bdi>(@${escapeHtml(event.owner.username)})</bdi>`;
  return writePage({
    language,
    title: event.title,
    body:
      `<h1 dir="auto">${escapeHtml(event.title)}</h1><p>${escapeHtml(when)}${is_recurring ? ` · ${i18n.t('repeats')}` : ''}</p>` +
      paragraph(event.location) +
      paragraph(event.description) +
      `<p class="quiet">${i18n.t('Shared by {by}', { by })}</p>` +
      `<p class="acts"><a href="/e/${token}.ics">${i18n.t('Add to your calendar')}</a></p>`,
  });
}
