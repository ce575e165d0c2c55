/** What a link to a page shows in messengers and social networks: texts, and a picture that is drawn for it. */
import { fail } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/language/i18n.ts';
import { networksOf } from '../../kernel/load/client-address.ts';
import { createFairQueue } from '../../kernel/load/fair-queue.ts';
import { escapeHtml } from './public-page.ts';
import { CARD } from './tag-picture.ts';

/** The picture cache: about 10 MB. */
const max_pictures = 200;
/**
 * Pictures drawn at once: they use the threads that files and passwords need, and anybody may request them. As many wait as
 * pages of all networks run.
 */
const pictures_at_once = { running: 1, running_per_account: 1, waiting: 16 };

/** Caches the results of the most recently used keys; concurrent requests for a key share one computation. */
function cacheNewest<T>(max: number): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (key, make) => {
    const made = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, made);
    made.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > max && oldest !== undefined) kept.delete(oldest);
    return made;
  };
}

/** Draws the picture of a key, or returns the one that was drawn before. */
export type DrawPicture = (key: string, ip: string, draw: () => Promise<Buffer>) => Promise<Buffer>;

/** The pictures of all pages, which share one queue and one cache. */
export function createPictures(): DrawPicture {
  const pictures = cacheNewest<Buffer>(max_pictures);
  const queue = createFairQueue(pictures_at_once, () => fail('unavailable', { retry_after_s: 2 }));
  return (key, ip, draw) => pictures(key, () => queue.run(networksOf(ip), draw));
}

/** Locale names in the Open Graph protocol, which supports languages only together with a country. */
const graph_locales: Record<Language, string> = { en: 'en_GB', de: 'de_DE', es: 'es_ES', fr: 'fr_FR', ar: 'ar_AR' };

function writeMetas(attribute: string, values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `<meta ${attribute}="${name}" content="${escapeHtml(value)}">`)
    .join('');
}

interface Preview {
  readonly language: Language;
  /** A type of the Open Graph protocol. */
  readonly type: 'profile' | 'website';
  readonly title: string;
  readonly summary: string;
  /** The address of the page, whose picture is `card.png` below it. */
  readonly url: string;
  readonly image_alt: string;
}

/** Metadata for link previews (the Open Graph protocol; X's cards). */
export function writePreview({ language, type, title, summary, url, image_alt }: Preview): string {
  const image = `${url}/card.png`;
  const properties = {
    'og:type': type,
    'og:locale': graph_locales[language],
    'og:site_name': 'Asterism',
    'og:title': title,
    'og:description': summary,
    'og:url': url,
    'og:image': image,
    'og:image:type': 'image/png',
    'og:image:width': String(CARD.width),
    'og:image:height': String(CARD.height),
    'og:image:alt': image_alt,
  };
  const names = {
    description: summary,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': summary,
    'twitter:image': image,
  };
  const canonical = `<link rel="canonical" href="${escapeHtml(url)}">`;
  return canonical + writeMetas('property', properties) + writeMetas('name', names);
}
