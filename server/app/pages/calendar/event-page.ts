/** The page of an event that is shared by its link: no scripts, no third parties. */
import type { presentPublicEvent } from '../../../domain/calendar/public-event.ts';
import { i18nOf, type Language } from '../../../kernel/language/i18n.ts';
import type { EventPicture } from './event-picture.ts';
import { writeShareSection } from '../link-code.ts';
import { writePreview } from '../link-preview.ts';
import { escapeHtml, writePage } from '../public-page.ts';
import { skySvg } from '../tag-picture.ts';

type Shown = ReturnType<typeof presentPublicEvent>;
type Span = { starts_at: string; ends_at: string };

/** The occurrence that the page is about: the next one, or the last one of an event that is over. */
const spanOf = (event: Shown): Span => event.next ?? event;

/** Events of whole days are days of no zone. */
const zoneOf = ({ all_day, timezone }: Shown): string => (all_day ? 'UTC' : timezone);

/** A time span as text, in the event's own zone. */
function writeWhen(event: Shown, { starts_at, ends_at }: Span, locale: string): string {
  if (event.all_day) {
    const last = new Date(Date.parse(ends_at) - 1);
    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: zoneOf(event) });
    return day.formatRange(new Date(starts_at), last);
  }
  const clock = { dateStyle: 'full', timeStyle: 'short', timeZone: zoneOf(event) } as const;
  return `${new Intl.DateTimeFormat(locale, clock).formatRange(new Date(starts_at), new Date(ends_at))} (${event.timezone})`;
}

/** What the picture of the event shows. */
export function pictureOf(event: Shown): EventPicture {
  const format = new Intl.DateTimeFormat('en', {
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    timeZone: zoneOf(event),
  });
  const parts = format.formatToParts(new Date(spanOf(event).starts_at));
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { title: event.title, day: read('day'), month: read('month'), year: read('year') };
}

/** The day as on the leaf of a calendar; the time is written below it in full. */
function writeLeaf(event: Shown, locale: string): string {
  const at = new Date(spanOf(event).starts_at);
  const say = (options: Intl.DateTimeFormatOptions) =>
    escapeHtml(new Intl.DateTimeFormat(locale, { ...options, timeZone: zoneOf(event) }).format(at));
  return (
    `<p class="leaf" aria-hidden="true"><span>${say({ month: 'short' })}</span>` +
    `<strong>${say({ day: 'numeric' })}</strong><span>${say({ weekday: 'short' })}</span></p>`
  );
}

/** The reader's language, and the locale of their dates. */
type Reader = { readonly language: Language; readonly locale: string };

/** @param url the address of the page */
export function eventPage(event: Shown, url: string, { language, locale }: Reader): string {
  const i18n = i18nOf(language);
  const is_recurring = event.rrule !== null;
  const span = writeWhen(event, spanOf(event), locale);
  const when = is_recurring && event.next ? i18n.t('Next: {when}', { when: span }) : span;
  const { owner, title, location, description } = event;
  const by = `<bdi>${escapeHtml(owner.display_name)}</bdi> <bdi>(@${escapeHtml(owner.username)})</bdi>`;
  const picture = owner.avatar_url ? `<img src="${escapeHtml(owner.avatar_url)}" alt="" width="32" height="32">` : '';
  return writePage({
    language,
    title,
    head: writePreview({
      language,
      type: 'website',
      title,
      summary: [when, location].filter((text) => text).join(' · '),
      url,
      image_alt: title,
    }),
    look: 'profile',
    body:
      `<section class="card event">${skySvg(title)}${writeLeaf(event, locale)}` +
      `<h1 dir="auto">${escapeHtml(title)}</h1>` +
      `<p class="when">${escapeHtml(when)}${is_recurring ? ` · ${i18n.t('repeats')}` : ''}</p>` +
      (location ? `<p class="place" dir="auto">${escapeHtml(location)}</p>` : '') +
      `<p class="by">${picture}<span>${i18n.t('Shared by {by}', { by })}</span></p>` +
      `<p class="acts"><a href="${escapeHtml(`${new URL(url).pathname}.ics`)}">${i18n.t('Add to your calendar')}</a></p></section>` +
      `<div>${description ? `<p class="text about" dir="auto">${escapeHtml(description)}</p>` : ''}${writeShareSection(url, language)}</div>`,
  });
}
