/**
 * Common words: words that occur in so many texts that an index lookup is useless. They are read on demand from the
 * statistics that the database gathers for an index (`pg_stats`, most common elements).
 */
import { sql, type Queryable } from '../database/database.ts';
import { spellingKeys, type Common } from './spelling.ts';

/**
 * The number of texts that make a key common: recomputing the keys of this many texts takes milliseconds; and a word:
 * finding this many does.
 */
const many = { keys: 1000, words: 5000 };
const memory_ms = 600_000;

/** Reads the common words of an index. */
export type CommonWords = (index: string) => Promise<Common>;

/** No word is common. */
export const none_common: Common = { keys: new Set(), words: new Set() };

/** Caches the common words of each index for ten minutes. An index that was never analysed has none. */
export function createCommonWords(db: Queryable): CommonWords {
  const known = new Map<string, { common: Promise<Common>; read_ms: number }>();
  return (index) => {
    const now_ms = performance.now();
    const last = known.get(index);
    if (last && now_ms - last.read_ms < memory_ms) return last.common;
    const common = readCommonWords(db, index).catch((error: unknown) => {
      known.delete(index);
      throw error;
    });
    known.set(index, { common, read_ms: now_ms });
    return common;
  };
}

async function readCommonWords(db: Queryable, index: string): Promise<Common> {
  const rows = await db.many<{ key: string; is_frequent: boolean }>(sql`
    select e.key, e.frequency * c.reltuples >= ${many.words}::int as is_frequent from pg_stats s
      join pg_class c on c.oid = to_regclass(quote_ident(s.schemaname) || '.' || quote_ident(s.tablename)),
      lateral unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as e(key, frequency)
    where e.key is not null and s.schemaname = current_schema() and s.tablename = ${index}
      and e.frequency * c.reltuples >= ${many.keys}::int`);
  const words = new Set(rows.flatMap(({ key, is_frequent }) => (is_frequent ? key : [])));
  for (const word of words) for (const key of spellingKeys(word)) if (!word.includes(key)) words.delete(key);
  return { keys: new Set(rows.map(({ key }) => key)), words };
}
