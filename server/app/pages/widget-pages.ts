/**
 * The parts of a widget that third-party pages load: the embed script, the frame that it opens, and the preflight for
 * creating a guest.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isWidgetOn } from '../../domain/visibility/widgets.ts';
import { selectWidgets, type WidgetRow } from '../../domain/widgets/widgets.ts';
import { sql } from '../../kernel/database/database.ts';
import { languageOfRequest } from '../../kernel/language/accept-language.ts';
import { directionOf, i18nOf, type Language } from '../../kernel/language/i18n.ts';
import type { Services } from '../../kernel/services.ts';
import { createEncodedSender, sendEncoded } from './encoding.ts';
import { addBundle, type Bundle } from './web-bundle.ts';
import { connectSources } from './pages.ts';
import { escapeHtml } from './public-page.ts';

const web_dir = join(import.meta.dirname, '..', '..', '..', 'web');

/** How long a page caches the script before it revalidates, in seconds. */
const script_age_s = 24 * 60 * 60;
/** How long a browser caches the preflight, in seconds. */
const preflight_age_s = 600;

/**
 * The content security policy of the frame, which only pages of the allowed origins may embed (CSP 3, section 6.4.2).
 */
const writePolicy = (services: Services, ancestors: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    `connect-src ${connectSources(services)}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
  ].join('; ');

type Shown = WidgetRow & { is_on: boolean };

async function findWidget({ db }: Services, public_key: string): Promise<Shown | undefined> {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(public_key)) return undefined;
  const which = sql`w.public_key = ${public_key} and w.deleted_at is null`;
  const [[row], state] = await Promise.all([
    selectWidgets(db, which),
    db.maybe<{ is_on: boolean }>(sql`select ${isWidgetOn} as is_on from widgets w where ${which}`),
  ]);
  return row && { ...row, is_on: state?.is_on ?? false };
}

/** The page of the frame. Its settings are in an attribute, escaped, since a title can contain anything. */
function framePage(widget: Shown, language: Language, bundle: Bundle | undefined, public_url: string): string {
  const settings = {
    id: widget.id,
    kind: widget.kind,
    title: widget.title,
    theme: widget.theme,
    tag: widget.tag,
    allowed_origins: widget.allowed_origins,
    enabled: widget.is_on,
    follow_url: `${public_url}/app/t/${widget.tag.name}`,
  };
  return writeFrame(
    language,
    widget.title || `*${widget.tag.name}`,
    `data-settings="${escapeHtml(JSON.stringify(settings))}"`,
    bundle,
  );
}

const openHtml = (language: Language) => `<!doctype html><html lang="${language}" dir="${directionOf(language)}">`;

function writeFrame(language: Language, title: string, attribute: string, bundle: Bundle | undefined): string {
  const i18n = i18nOf(language);
  const named = escapeHtml(title);
  return (
    `${openHtml(language)}<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${named} · Asterism</title>${bundle?.links ?? ''}</head>` +
    `<body><main id="widget" ${attribute}></main>` +
    `<noscript>${i18n.t('{title} needs JavaScript.', { title: named })}</noscript></body></html>\n`
  );
}

function absentPage(language: Language): string {
  const i18n = i18nOf(language);
  const title = `<title>${i18n.t('Not found')} · Asterism</title>`;
  return `${openHtml(language)}<head><meta charset="utf-8">${title}</head><body><h1>${i18n.t('This widget no longer exists')}</h1></body></html>\n`;
}

/** Adds `/embed.js`, `/w/{public_key}` with its files, `/w/preview`, and the preflight of `POST /v1/widgets/guests`. */
export function addWidgetPages(http: FastifyInstance, services: Services): void {
  addScript(http);
  const bundle = addBundle(http, { folder: 'widget', entry: 'src/widget/frame.ts', prefix: '/w/assets/' });
  const sendPage = (reply: FastifyReply, page: string, ancestors: string[]) => {
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'Accept-Language, Accept-Encoding')
      .header('content-security-policy', writePolicy(services, ancestors))
      .header('referrer-policy', 'no-referrer');
    return sendEncoded(reply, page);
  };
  // The builder previews the frame with unsaved settings, which are not sent to the service.
  http.get('/w/preview', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const language = languageOfRequest(request);
    const i18n = i18nOf(language);
    const title = i18n.t('Preview');
    return sendPage(reply, writeFrame(language, title, 'data-preview', bundle), ["'self'"]);
  });
  http.get<{ Params: { public_key: string } }>('/w/:public_key', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const widget = await findWidget(services, request.params.public_key);
    const language = languageOfRequest(request);
    if (!widget) return sendPage(reply.status(404), absentPage(language), []);
    return sendPage(reply, framePage(widget, language, bundle, services.public_url), widget.allowed_origins);
  });
  // The key is in the body, which a preflight does not have: the preflight allows the origins of any widget, and the
  // answer only those of that widget.
  http.options('/v1/widgets/guests', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const { origin } = request.headers;
    reply.header('vary', 'Origin').header('allow', 'POST, OPTIONS').header('access-control-allow-methods', 'POST');
    const known =
      origin !== undefined &&
      (await services.db.maybe(sql`
        select 1 from widgets w where w.allowed_origins @> array[${origin}]::text[] and w.deleted_at is null and w.enabled
        limit 1`));
    if (known)
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', String(preflight_age_s));
    return reply.status(204).send();
  });
}

function addScript(http: FastifyInstance): void {
  const script = readFileSync(join(web_dir, 'src', 'widget', 'embed.js'), 'utf8');
  const send = createEncodedSender(() => script);
  http.get('/embed.js', async (_request, reply) =>
    send(
      reply
        .header('cache-control', `public, max-age=${script_age_s}, stale-while-revalidate=${script_age_s * 7}`)
        // Cross-origin isolated pages can load it as well (Fetch, "Cross-Origin-Resource-Policy").
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('content-type', 'text/javascript; charset=utf-8'),
    ),
  );
}
