/**
 * Common words: those that stand in so many texts that an index of them says little. They are read from the statistics
 * that the database itself gathers of an index (`pg_stats`, most common elements), now and then, on the first need.
 */
import { sql, type Queryable } from './database.ts';

/** How many texts make a word common: looking at each of so many costs a few milliseconds. */
const many = 1000;
const memory_ms = 600_000;

export type CommonWords = (index: string) => Promise<ReadonlySet<string>>;

/** Remembers the common words of each index for ten minutes. An index that was never analysed has none. */
export function createCommonWords(db: Queryable): CommonWords {
  const known = new Map<string, { words: Promise<ReadonlySet<string>>; read_ms: number }>();
  return (index) => {
    const now_ms = performance.now();
    const last = known.get(index);
    if (last && now_ms - last.read_ms < memory_ms) return last.words;
    const words = readCommonWords(db, index).catch((error: unknown) => {
      known.delete(index);
      throw error;
    });
    known.set(index, { words, read_ms: now_ms });
    return words;
  };
}

async function readCommonWords(db: Queryable, index: string): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ word: string }>(sql`
    select e.word from pg_stats s
      join pg_class c on c.oid = to_regclass(quote_ident(s.schemaname) || '.' || quote_ident(s.tablename)),
      lateral unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as e(word, frequency)
    where s.schemaname = current_schema() and s.tablename = ${index} and e.frequency * c.reltuples >= ${many}::int`);
  return new Set(rows.map(({ word }) => word));
}
