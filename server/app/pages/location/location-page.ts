/** The page of a live link: shows a user's current position to the holder of the link while it is shared. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { openLocationLink } from '../../../domain/location/public-location.ts';
import { isLinkToken, requireLink } from '../../../domain/public-links/links.ts';
import { ApiError, fail } from '../../../kernel/errors.ts';
import { languageOfRequest, localeOfRequest } from '../../../kernel/language/accept-language.ts';
import { i18nOf, type Language } from '../../../kernel/language/i18n.ts';
import type { Services } from '../../../kernel/services.ts';
import { addBundle, type Bundle } from '../web-bundle.ts';
import { readScript } from '../inline-sources.ts';
import { absencePage, escapeHtml, sendPage, writePage } from '../public-page.ts';

const script = readScript(import.meta.dirname, 'location.js');

function gonePage(language: Language): string {
  const i18n = i18nOf(language);
  return absencePage(
    language,
    i18n.t('This location is no longer shared'),
    i18n.t('The owner removed the link, or it has expired.'),
  );
}

/** Adds `/l/{token}`, and the files of its map. */
export function addLocationPage(http: FastifyInstance, services: Services): void {
  const map = addBundle(http, { folder: 'live-map', entry: 'src/live-map/live-map.ts', prefix: '/map/assets/' });
  http.get<{ Params: { token: string } }>('/l/:token', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const { token } = request.params;
    if (!isLinkToken(token)) fail('not_found');
    const reader = { language: languageOfRequest(request), locale: localeOfRequest(request) };
    return sendLocation(services, reply.header('cache-control', 'no-store'), { token, ...reader }, map);
  });
}

/** The link, the reader's language, and the locale of their dates. */
type Opened = { readonly token: string; readonly language: Language; readonly locale: string };

async function sendLocation(
  services: Services,
  reply: FastifyReply,
  { token, language, locale }: Opened,
  map: Bundle | undefined,
): Promise<FastifyReply> {
  const { db, clock, map_provider } = services;
  const origins = map_provider ? [new URL(map_provider.style_url).origin] : [];
  try {
    const shown = await openLocationLink(db, await requireLink(db, token, clock.now(), 'location'), services);
    return sendPage(reply, locationPage(shown, { token, language, locale }, map), {
      script,
      has_bundle: map !== undefined,
      origins,
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'gone') return sendPage(reply.status(410), gonePage(language));
    throw error;
  }
}

type Shown = Awaited<ReturnType<typeof openLocationLink>>;

/** The container of the map, filled by its script: empty without one, and until a position is known. */
function mapPlace({ user, latitude, longitude, map }: Shown, label: string): string {
  const { display_name, avatar_url } = user;
  const { style_url, token } = map;
  const settings = JSON.stringify({ name: display_name, avatar_url, latitude, longitude, map: { style_url, token } });
  return `<div id="map" role="region" aria-label="${escapeHtml(label)}" data-settings="${escapeHtml(settings)}" hidden></div>`;
}

function locationPage(shown: Shown, { token, language, locale }: Opened, map: Bundle | undefined): string {
  const i18n = i18nOf(language);
  const { user, latitude, longitude, accuracy_m, recorded_at, expires_at } = shown;
  const is_known = latitude !== null && longitude !== null;
  const [lat, lon] = is_known ? [latitude.toFixed(5), longitude.toFixed(5)] : ['', ''];
  const sayAt = (place: string, metres: string) => i18n.t('{place} (within {metres} m)', { place, metres });
  const position = is_known ? sayAt(`${lat}, ${lon}`, String(Math.round(accuracy_m ?? 0))) : i18n.t('No location yet.');
  const far = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=15/${lat}/${lon}`;
  const until = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(expires_at));
  const name = `<bdi>${escapeHtml(user.display_name)}</bdi>`;
  const by = `<bdi>@${escapeHtml(user.username)}</bdi>`;
  return writePage({
    language,
    title: i18n.t('Where {name} is', { name: user.display_name }),
    head: `<noscript><meta http-equiv="refresh" content="15"></noscript>${map?.links ?? ''}`,
    body:
      `<h1>${i18n.t('Where {name} is', { name })}</h1>` +
      `<div id="place" data-token="${token}" data-locale="${locale}" data-at="${escapeHtml(sayAt('{place}', '{metres}'))}" aria-live="polite">` +
      `<p class="at">${position}</p>` +
      `<p class="quiet"><time datetime="${recorded_at ?? ''}">${recorded_at ?? ''}</time></p></div>` +
      `${map ? mapPlace(shown, i18n.t('Map')) : ''}<p class="acts" id="acts"${is_known ? '' : ' hidden'}><a href="geo:${lat},${lon}">${i18n.t('Open in your map')}</a>` +
      `<a href="${escapeHtml(far)}" rel="noreferrer">${i18n.t('See on OpenStreetMap')}</a></p>` +
      `<p class="quiet">${i18n.t('Shared by {by} until {until} UTC.', { by, until })}</p>` +
      `<script>${script.text}</script>`,
  });
}
