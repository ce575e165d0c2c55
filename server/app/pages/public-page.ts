/** What the pages that the service writes itself have in common: the look of the client, and nothing to run. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { ApiError } from '../../kernel/errors.ts';
import { translateRefusal } from '../../kernel/language/refusals.ts';
import { directionOf, i18nOf, type Language } from '../../kernel/language/i18n.ts';
import { asterSvg } from './tag-picture.ts';

const assets_dir = join(import.meta.dirname, '..', '..', '..', 'web', 'dist', 'assets');

/** The client's own letters under the names that its build gave them; without a build the system's take their place. */
function writeFonts(): string {
  const files = existsSync(assets_dir) ? readdirSync(assets_dir) : [];
  const faces = { Figtree: /^figtree-latin-.*\.woff2$/, Newsreader: /^newsreader-latin-.*\.woff2$/ };
  return Object.entries(faces)
    .flatMap(([family, shape]) => {
      const file = files.find((name) => shape.test(name));
      return file
        ? `@font-face{font-family:${family};src:url(/app/assets/${file}) format('woff2');font-weight:200 900;font-display:swap}`
        : [];
    })
    .join('');
}

const style = `${writeFonts()}
:root{color-scheme:light dark;--ground:#f7f3eb;--surface:#fffdf9;--line:#e3dac8;--ink:#191c33;--ink-2:#555970;--accent:#2c3480;--fill:#2c3480;--on-fill:#fffdf9;--sunken:#efe9dd;--focus:#a86a08}
@media(prefers-color-scheme:dark){:root{--ground:#0d101d;--surface:#141827;--line:#262c42;--ink:#f2eee4;--ink-2:#a8adc4;--accent:#b6befc;--fill:#5460d6;--on-fill:#fff;--sunken:#1b2033;--focus:#ffd479}}
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--ink);font:400 1rem/1.5 Figtree,ui-sans-serif,system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
a:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;max-width:1184px;margin:auto;padding:16px 28px}
.brand{display:flex;align-items:center;gap:10px;margin-inline-end:auto;color:inherit;font:600 1.25rem/1.6 Newsreader,ui-serif,Georgia,serif;text-decoration:none}
.aster{width:1.2em;height:1.2em;flex:none}
.bar a{white-space:nowrap}
.bar a:not(.brand){display:flex;align-items:center;min-height:44px;font-weight:600;text-decoration:none}
.bar a.get{padding:0 18px;border-radius:99px;background:var(--fill);color:var(--on-fill)}
main{max-width:1184px;margin:auto;padding:8px 28px 48px}
main.plain{max-width:40rem;padding-top:32px}
h1,h2{font:600 1.75rem/1.25 Newsreader,ui-serif,Georgia,serif}
.plain>*+*{margin-top:14px}
.quiet{color:var(--ink-2)}
.text{white-space:pre-wrap}
.acts{display:flex;flex-wrap:wrap;gap:8px}
.acts a{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:0 20px;border-radius:99px;background:var(--fill);color:var(--on-fill);font-weight:600;text-decoration:none}
.acts a+a{background:var(--sunken);color:var(--ink)}
.absent{display:grid;justify-items:center;align-content:center;gap:12px;min-height:60vh;text-align:center}
.absent .aster{width:56px;height:56px;margin-bottom:8px}
.profile{display:grid;gap:28px;align-items:start}
.card{position:relative;display:flex;flex-direction:column;justify-content:flex-end;gap:12px;min-height:480px;padding:28px;border-radius:28px;overflow:hidden;background:#0a0c1c;color:#fff}
.card>*{position:relative}
.card>.sky{position:absolute;inset:0;width:100%;height:100%}
.card>.net{position:absolute;top:32px;left:5%;width:90%}
.card h1{display:flex;align-self:flex-start;align-items:flex-start;gap:4px;font:500 3.25rem/1.1 Newsreader,ui-serif,Georgia,serif;letter-spacing:-.025em}
.card h1 .aster{width:.72em;height:.72em;margin-top:.06em}
.card .live{align-self:flex-start;padding:6px 14px;border-radius:99px;background:#ffffff2e;color:#fff;font-weight:600;text-decoration:none}
.card .live::before{content:"";display:inline-block;width:10px;height:10px;margin-inline-end:8px;border-radius:50%;background:#f2c14e}
.card .by{display:flex;align-items:center;gap:10px;color:#ebe6f4}
.card .by img{border-radius:50%}
.card .acts a{background:#f2c14e;color:#191608;flex:1 1 auto}
.bring{display:flex;align-items:center;gap:20px;padding:18px;border:1px solid var(--line);border-radius:18px;background:var(--surface)}
.bring .qr{width:104px;flex:none;padding:8px;border-radius:12px;background:#fff}
.bring .qr svg{display:block;width:100%;shape-rendering:crispEdges}
.latest>h2{margin:24px 0 4px;font:600 .875rem/1.4 Figtree,ui-sans-serif,system-ui,sans-serif;color:var(--ink-2)}
.latest ul{padding:0;list-style:none}
.latest li{padding:16px 0;border-bottom:1px solid var(--line)}
.latest li:last-child{border-bottom:0}
.latest time{color:var(--ink-2);font-size:.875rem}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(min-width:820px){.profile{grid-template-columns:minmax(0,23rem) minmax(0,1fr)}.card{min-height:640px}}
[dir=rtl] :is(h1,.card>*)[dir=auto]{text-align:right}
@media(max-width:819px){.bar{column-gap:10px;padding:12px 20px}.brand{gap:6px;font-size:1.125rem}.bar a:not(.brand){font-size:.875rem}.bar a.get{padding:0 12px}main{padding:4px 20px 32px}.card{margin:0 -20px;border-radius:0}.bring .qr{width:88px}}
`;
const style_hash = createHash('sha256').update(style).digest('base64');
/** What runs on a page: one inline script by its hash (SHA-256 in base64), and a bundle where it has one, such as a map. */
export interface PageScripts {
  readonly script_hash: string;
  readonly has_bundle: boolean;
  /** Other origins from which it may load data and pictures. */
  readonly origins?: readonly string[];
}

/** Nothing runs on such a page, unless it says what, which may then ask the service alone. */
function writePolicy(scripts?: PageScripts): string {
  const [files, data] = scripts?.has_bundle ? [" 'self'", ' data:'] : ['', ''];
  const others = (scripts?.origins ?? []).map((origin) => ` ${origin}`).join('');
  return [
    `default-src 'none'; img-src 'self'${data}${others}; style-src 'sha256-${style_hash}'${files}; font-src 'self'`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...(scripts ? [`script-src 'sha256-${scripts.script_hash}'${files}; connect-src 'self'${others}`] : []),
    ...(scripts?.has_bundle ? ["worker-src 'self' blob:"] : []),
  ].join('; ');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in an element or in a quoted attribute (HTML standard, section 13.3). */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '');

interface PublicPage {
  readonly language: Language;
  /** In plain text. */
  readonly title: string;
  /** More of the head, as HTML. */
  readonly head?: string;
  /** What stands in `main`, as HTML. */
  readonly body: string;
  readonly is_indexed?: boolean;
  /** The kind of page, which its style goes by. */
  readonly look?: 'plain' | 'profile';
}

/** A whole page with the bar that leads into the client. */
export function writePage({
  language,
  title,
  head = '',
  body,
  is_indexed = false,
  look = 'plain',
}: PublicPage): string {
  const i18n = i18nOf(language);
  const robots = is_indexed ? '' : '<meta name="robots" content="noindex">';
  return (
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="color-scheme" content="light dark"><link rel="icon" type="image/svg+xml" href="/app/star.svg">' +
    `<title>${escapeHtml(title)} · Asterism</title>${robots}${head}<style>${style}</style></head>` +
    `<body><header class="bar"><a class="brand" href="/app/">${asterSvg}Asterism</a>` +
    `<a href="/app/sign-in">${i18n.t('Sign in')}</a><a class="get" href="/app/register">${i18n.t('Get a tag')}</a></header>` +
    `<main class="${look}">${body}</main></body></html>\n`
  );
}

/** Such a page tells nobody where its reader came from, and caches keep it for each language that is asked for. */
const headers = {
  'content-security-policy': writePolicy(),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Language',
};

/** @param scripts what the page runs; nothing without it */
export function sendPage(reply: FastifyReply, page: string, scripts?: PageScripts): FastifyReply {
  return reply
    .headers({ ...headers, 'content-security-policy': writePolicy(scripts) })
    .header('content-type', 'text/html; charset=utf-8')
    .send(page);
}

/** A page that says what is not there, and leads on. */
export function absencePage(language: Language, title: string, text: string): string {
  const i18n = i18nOf(language);
  return writePage({
    language,
    title,
    body:
      `<div class="absent">${asterSvg}<h1>${escapeHtml(title)}</h1><p class="quiet">${escapeHtml(text)}</p>` +
      `<p class="acts"><a href="/app/">${i18n.t('Open Asterism')}</a></p></div>`,
  });
}

/** What a browser shows when an address of the service leads nowhere, or cannot be answered. */
export function writeErrorPage(
  { status, message }: ApiError,
  language: Language,
): { html: string; headers: Record<string, string> } {
  const i18n = i18nOf(language);
  const [title, text] =
    status === 404
      ? [i18n.t('This page is not here'), i18n.t('The link may be old or mistyped.')]
      : status >= 500
        ? [i18n.t('One moment'), i18n.t('The service cannot answer just now. Try again in a minute.')]
        : [i18n.t('That did not work'), translateRefusal(message, language)];
  return { html: absencePage(language, title, text), headers };
}
