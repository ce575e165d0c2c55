/** The console's page: one file, because it must work when everything else does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScript, readStyle } from '../pages/inline-sources.ts';
import { asterSvg } from '../pages/tag-picture.ts';

const folder = join(import.meta.dirname, 'page');

/** The page and the policy under which it runs. */
export function writeConsolePage(): { html: string; content_security_policy: string } {
  const style = readStyle(join(folder, 'console.css'));
  const script = readScript(folder, 'console.js');
  const body = readFileSync(join(folder, 'console.html'), 'utf8').replace('{{aster}}', asterSvg);
  return {
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<meta name="color-scheme" content="light dark"><link rel="icon" type="image/svg+xml" href="/app/icon.svg">' +
      `<title>Console · Asterism</title><style>${style.text}</style></head>` +
      `<body>${body}<script>${script.text}</script></body></html>\n`,
    content_security_policy: `default-src 'none'; img-src 'self'; font-src 'self'; style-src ${style.source}; script-src ${script.source}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
