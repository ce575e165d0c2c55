/** Which messages are among the media of their chat: those with pictures or videos, other files, or links. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { FileRow } from '../files/files.ts';

/** The lists of a chat's media. */
export const media_kinds = ['media', 'documents', 'links'] as const;
export type MediaKind = (typeof media_kinds)[number];

/** File `fi` is a picture or a video, which the list `media` has; `documents` has the others. */
const isPicture: Sql = sql`fi.kind in ('image', 'video')`;

/** Message `m` is in a list: a condition that its index supports. */
export const isListed = (kind: MediaKind): Sql =>
  ({
    media: sql`m.has_media and m.deleted_at is null`,
    documents: sql`m.has_documents and m.deleted_at is null`,
    links: sql`m.has_links and m.deleted_at is null`,
  })[kind];

/** The values of `has_media` and `has_documents` of a message with files. */
export function fileFlags(file_ids: readonly string[]): Sql {
  if (file_ids.length === 0) return sql`false, false`;
  const has = (which: Sql) =>
    sql`exists (select 1 from files fi where fi.id = any(${[...file_ids]}::text[]) and ${which})`;
  return sql`${has(isPicture)}, ${has(sql`not ${isPicture}`)}`;
}

/** The same of a file that was read. */
export const isPictureFile = ({ kind }: Pick<FileRow, 'kind'>): boolean => kind === 'image' || kind === 'video';

/** The files of a message as a push names them. */
export type PushedFiles = { count: number; kind: 'image' | 'video' | null };

/** How many files message `m` has, and their kind where it is the same of all pictures or videos. */
export const pushedFilesJson: Sql = sql`(
  select json_build_object('count', count(*)::int,
    'kind', case when bool_and(fi.kind = 'image') then 'image' when bool_and(fi.kind = 'video') then 'video' end)
  from file_uses fu join files fi on fi.id = fu.file_id where fu.subject_id = m.id)`;

const names = { image: 'photos', video: 'videos', other: 'files' };

/**
 * What a push says of a message of files without text, and its values for devices that translate it.
 * @param single what it says of one file
 */
export function describeFiles(
  { count, kind }: PushedFiles,
  from: string,
  single: string,
): { text: string; values: Record<string, string> } {
  if (count < 2) return { text: single, values: { file_from: from } };
  const what = kind ?? 'other';
  return { text: `${count} ${names[what]}`, values: { file_from: from, file_count: String(count), file_kind: what } };
}
