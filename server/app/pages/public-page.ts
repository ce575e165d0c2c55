/** Common parts of server-rendered pages: the design of the client, without scripts. */
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { ApiError } from '../../kernel/errors.ts';
import { translateRefusal } from '../../kernel/language/refusals.ts';
import { directionOf, i18nOf, type Language } from '../../kernel/language/i18n.ts';
import { sendEncoded } from './encoding.ts';
import { readStyle, type Inline } from './inline-sources.ts';
import { asterSvg } from './tag-picture.ts';

const style = readStyle(join(import.meta.dirname, 'look', 'profile.css'));

/** The scripts of a page: one inline script, and a bundle where it has one, such as a map. */
export interface PageScripts {
  readonly script: Inline;
  readonly has_bundle: boolean;
  /** Other origins from which it may load data and pictures. */
  readonly origins?: readonly string[];
}

/** Forbids scripts on such a page, except for the given ones, which may only connect to the service. */
function writePolicy(scripts?: PageScripts): string {
  const [files, data] = scripts?.has_bundle ? [" 'self'", ' data:'] : ['', ''];
  const others = (scripts?.origins ?? []).map((origin) => ` ${origin}`).join('');
  return [
    `default-src 'none'; img-src 'self'${data}${others}; style-src ${style.source}${files}; font-src 'self'`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    // Without scripts, only tools that audit a page connect: Lighthouse requests /robots.txt from within it.
    `connect-src 'self'${others}`,
    ...(scripts ? [`script-src ${scripts.script.source}${files}`] : []),
    ...(scripts?.has_bundle ? ["worker-src 'self' blob:"] : []),
  ].join('; ');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for an element or a quoted attribute (HTML standard, section 13.3). */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '');

interface PublicPage {
  readonly language: Language;
  /** In plain text. */
  readonly title: string;
  /** Additional elements of the head, as HTML. */
  readonly head?: string;
  /** The content of `main`, as HTML. */
  readonly body: string;
  readonly is_indexed?: boolean;
  /** The kind of page, used by its style. */
  readonly look?: 'plain' | 'profile';
}

/** A whole page, with a bar that leads to the client. */
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
    '<meta name="color-scheme" content="light dark"><link rel="icon" type="image/svg+xml" href="/app/icon.svg">' +
    `<title>${escapeHtml(title)} · Asterism</title>${robots}${head}<style>${style.text}</style></head>` +
    `<body><header class="bar"><a class="brand" href="/app/">${asterSvg}Asterism</a>` +
    `<a href="/app/sign-in">${i18n.t('Sign in')}</a><a class="get" href="/app/register">${i18n.t('Get a tag')}</a></header>` +
    `<main class="${look}">${body}</main></body></html>\n`
  );
}

/** Such a page sends no referrer, and caches store it per requested language and encoding. */
const headers = {
  'content-security-policy': writePolicy(),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Language, Accept-Encoding',
};

/** @param scripts the scripts of the page; none by default */
export function sendPage(reply: FastifyReply, page: string, scripts?: PageScripts): Promise<FastifyReply> {
  reply
    .headers({ ...headers, 'content-security-policy': writePolicy(scripts) })
    .header('content-type', 'text/html; charset=utf-8');
  return sendEncoded(reply, page);
}

/** A page that reports what was not found, with a link to continue. */
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

/** The page for an address of the service that does not exist, or whose request failed. */
export function writeErrorPage(
  { status, message }: ApiError,
  language: Language,
): { html: string; headers: Record<string, string> } {
  const i18n = i18nOf(language);
  const [title, text] =
    status === 404
      ? [i18n.t('Page not found'), i18n.t('The link may be outdated or mistyped.')]
      : status >= 500
        ? [i18n.t('One moment'), i18n.t('The service is temporarily unavailable. Try again in a minute.')]
        : [i18n.t('Something went wrong'), translateRefusal(message, language)];
  return { html: absencePage(language, title, text), headers };
}
