/**
 * Writes the Arabic names of emoji into `web/emoji/names-ar.json`, since Emojibase has none. They come from Unicode CLDR,
 * whose packages are too large to be installed with the service. For a new version of Emojibase or CLDR:
 *
 *     npm install --no-save cldr-annotations-full cldr-annotations-derived-full
 *     node tools/emoji/write-arabic-names.ts && npm run format
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packEmoji } from '../../web/emoji/pack-emoji.ts';

/** Names and search words by the emoji, without variation selectors. */
type Annotations = Record<string, { default?: string[]; tts?: string[] }>;

const read = createRequire(import.meta.url);
const { annotations } = read('cldr-annotations-full/annotations/ar/annotations.json') as {
  annotations: { annotations: Annotations };
};
// Of emoji that consist of several.
const { annotationsDerived } = read('cldr-annotations-derived-full/annotationsDerived/ar/annotations.json') as {
  annotationsDerived: { annotations: Annotations };
};
const all: Annotations = { ...annotationsDerived.annotations, ...annotations.annotations };

const tones = ['🏻', '🏼', '🏽', '🏾', '🏿'];
const lines = [...tones, ...packEmoji('en').emoji.map(([emoji]) => emoji)].flatMap((emoji) => {
  const { tts = [], default: words = [] } = all[emoji.replaceAll('\uFE0F', '')] ?? {};
  const [name] = tts;
  return name === undefined
    ? []
    : [`  "${emoji}": ${JSON.stringify([name, ...words.filter((word) => word !== name)])}`];
});
const path = join(import.meta.dirname, '..', '..', 'web', 'emoji', 'names-ar.json');
writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`);
console.log(`${lines.length} names in ${path}`);
