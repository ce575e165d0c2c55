/** The HTML page of the web client before its script runs, and its manifest, in the browser's language. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageOfRequest } from '../../kernel/language/accept-language.ts';
import { directionOf, i18nOf, onceForEach, type Language } from '../../kernel/language/i18n.ts';
import { createEncodedSender } from './encoding.ts';
import { escapeHtml } from './public-page.ts';

/** English texts in the build that are replaced by translations. */
const english = {
  head: '<html lang="en">',
  needs_script: 'Asterism needs JavaScript for calls and messages.',
  description: 'Calls and messages with the people you know.',
  title: 'One name that <em>reaches you</em>.',
  intro: 'Create a tag, share it, and people can talk with you without ever knowing your number.',
} as const;

/** @throws Error when the text is missing, so that a build without it does not silently stay English */
function replaceOnce(page: string, from: string, to: string): string {
  if (page.split(from).length !== 2) throw new Error(`The page of the client does not say this once: ${from}`);
  return page.replace(from, () => to);
}

function translatePage(page: string, language: Language): string {
  const i18n = i18nOf(language);
  const in_direction = replaceOnce(page, english.head, `<html lang="${language}" dir="${directionOf(language)}">`);
  const needs_script = escapeHtml(i18n.t('Asterism needs JavaScript for calls and messages.'));
  const description = escapeHtml(i18n.t('Calls and messages with the people you know.'));
  const title = escapeHtml(i18n.t('One name that <em>reaches you</em>.')).replaceAll(/&lt;(\/?em)&gt;/g, '<$1>');
  const intro = escapeHtml(
    i18n.t('Create a tag, share it, and people can talk with you without ever knowing your number.'),
  );
  const described = replaceOnce(in_direction, english.description, description);
  const welcoming = replaceOnce(replaceOnce(described, english.title, title), english.intro, intro);
  return replaceOnce(welcoming, english.needs_script, needs_script);
}

type Manifest = { shortcuts: { name: string; url: string }[] };

/** @throws Error when a shortcut has no translation, so that none silently stays English */
function translateManifest(manifest: string, language: Language): string {
  const i18n = i18nOf(language);
  const description = i18n.t('Calls and messages with the people you know.');
  const names: Record<string, string> = {
    '/app/messages': i18n.t('Chats'),
    '/app/calls': i18n.t('Calls'),
    '/app/calendar': i18n.t('Calendar'),
    '/app/search': i18n.t('Search'),
  };
  const parsed = JSON.parse(manifest) as Manifest;
  const shortcuts = parsed.shortcuts.map((shortcut) => {
    const name = names[shortcut.url];
    if (name === undefined) throw new Error(`The shortcut to ${shortcut.url} has no translated name.`);
    return { ...shortcut, name };
  });
  return JSON.stringify({ ...parsed, lang: language, dir: directionOf(language), description, shortcuts });
}

type Headers = Record<string, string>;

/** Sends a text in the language and encoding of each request, or 304. */
function sendTranslated(translate: (language: Language) => string, headers: Headers) {
  const senderOf = onceForEach((language) => createEncodedSender(() => translate(language)));
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const language = languageOfRequest(request);
    reply
      .headers(headers)
      .headers({ 'cache-control': 'no-cache', vary: 'Accept-Language' })
      .header('content-language', language);
    return senderOf(language)(reply);
  };
}

/** Adds the page of the client at each of its addresses, and its manifest. */
export function addClientPage(
  http: FastifyInstance,
  { page, manifest }: { page: string; manifest: string },
  headers: Headers,
): void {
  const sendPage = sendTranslated((language) => translatePage(page, language), {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
  });
  // Translated at startup, so that a build without the expected texts fails there.
  translatePage(page, 'en');
  translateManifest(manifest, 'en');
  http.get('/app', async (_request, reply) => reply.redirect('/app/'));
  http.get('/app/', sendPage);
  // Every address of the client that is not a file is routed by the client itself.
  http.get('/app/*', sendPage);
  // The service worker answers what other apps share. Without one nothing takes the files, which are not even read.
  http.post(
    '/app/share',
    { onRequest: async (_request, reply) => reply.header('connection', 'close').redirect('/app/share', 303) },
    async () => undefined,
  );
  http.get(
    '/app/manifest.webmanifest',
    sendTranslated((language) => translateManifest(manifest, language), {
      ...headers,
      'content-type': 'application/manifest+json',
      'x-content-type-options': 'nosniff',
    }),
  );
}
