/**
 * Part of `npm run messages`: writes the service's error texts to `server/locales/refusals`, with empty translations
 * for new ones.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '../../sdk/languages.ts';
import { collectRefusals } from './collect-refusals.ts';

const folder = join(import.meta.dirname, '..', '..', 'server', 'locales', 'refusals');
const refusals = collectRefusals();
for (const language of Object.keys(languages)) {
  const path = join(folder, `${language}.json`);
  const known = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const kept = refusals.map((english) => [english, language === 'en' ? english : (known[english] ?? '')]);
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
  const empty = kept.filter(([, words]) => words === '').length;
  console.log(`server/locales/refusals/${language}.json: ${kept.length} refusals, ${empty} to translate`);
}
process.exit();
