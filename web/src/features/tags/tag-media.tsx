import type { MediaFile, Tag } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, FileIcon, Film, Mic, X } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeDuration } from '../../ui/when.tsx';
import { ChooseFiles } from '../files/choose-files.tsx';
import { nameOfFile } from '../files/file-text.ts';
import { UploadItem } from '../files/upload-item.tsx';
import { useUploads } from '../files/use-uploads.ts';
import type { SendFile } from '../files/use-uploads.ts';
import { changeTag } from '../follows/follow-mutations.ts';
import { i18n } from '../../i18n/i18n.ts';
import { tagKey } from '../../data/queries/tag-queries.ts';

const MAX_FILES = 50;
const ICONS = { image: FileIcon, audio: Mic, video: Film, other: FileIcon } as const;

function setMedia(queries: QueryClient, tag_id: string, change: (media: MediaFile[]) => MediaFile[]): void {
  changeTag(queries, tag_id, (tag) => ({ ...tag, media: change(tag.media) }));
}

/** Removes and moves a tag's media; shown immediately, and reverted when the request fails. */
function useMediaMutations(tag: Tag) {
  const queries = useQueryClient();
  // Returns the previous media for a revert: by the time that a request fails, `tag` already has the new ones.
  const show = (change: (media: MediaFile[]) => MediaFile[]) => {
    setMedia(queries, tag.id, change);
    return tag.media;
  };
  const restore = (error: unknown, before: MediaFile[] | undefined) => {
    if (before !== undefined) setMedia(queries, tag.id, () => before);
    showToast(i18n.t('Couldn’t save. {problem}', { problem: describeProblem(error) }));
    return queries.invalidateQueries({ queryKey: tagKey });
  };
  const remove = useMutation({
    mutationFn: (file_id: string) => sdk.tags.removeTagMedia({ path: { xtag_id: tag.id, file_id } }),
    onMutate: (file_id) => show((media) => media.filter(({ id }) => id !== file_id)),
    onError: (error, _file_id, before) => restore(error, before),
  });
  const order = useMutation({
    mutationFn: (media: MediaFile[]) =>
      sdk.tags.editTag({ path: { xtag_id: tag.id }, body: { media: media.map(({ id }) => id) } }),
    onMutate: (media) => show(() => media),
    onError: (error, _media, before) => restore(error, before),
  });
  const move = (at: number, by: 1 | -1) => {
    const media = [...tag.media];
    const [moved] = media.splice(at, 1);
    if (moved === undefined) return;
    media.splice(at + by, 0, moved);
    order.mutate(media);
  };
  return { remove, move, is_busy: remove.isPending || order.isPending };
}

function Thumbnail({ file }: { file: MediaFile }) {
  const Icon = ICONS[file.kind];
  const url = file.variants.find(({ name }) => name === 'small')?.url ?? file.poster_url ?? undefined;
  const source = url ?? (file.kind === 'image' ? file.stream_url : undefined);
  return source === undefined ? <Icon aria-hidden="true" /> : <img src={source} alt="" width={44} height={44} />;
}

interface ItemProps {
  file: MediaFile;
  name: string;
  is_busy: boolean;
  /** Undefined where it cannot be moved further. */
  onEarlier: (() => void) | undefined;
  onLater: (() => void) | undefined;
  onRemove: () => void;
}

function Item({ file, name, is_busy, onEarlier, onLater, onRemove }: ItemProps) {
  const actions = [
    { label: i18n.t('Move {name} up', { name }), Icon: ArrowUp, action: onEarlier },
    { label: i18n.t('Move {name} down', { name }), Icon: ArrowDown, action: onLater },
    { label: i18n.t('Remove {name}', { name }), Icon: X, action: onRemove },
  ];
  return (
    <li className="upload">
      <Thumbnail file={file} />
      <div className="list-main">
        <p className="small">{name}</p>
        {file.duration_s === undefined ? null : <p className="soft small">{describeDuration(file.duration_s)}</p>}
      </div>
      <div className="upload-actions">
        {actions.map(({ label, Icon, action }) => (
          <button
            key={label}
            type="button"
            className="icon-button"
            // Not `disabled`, so that a keyboard user keeps the focus when the end is reached.
            aria-disabled={action === undefined || is_busy}
            onClick={() => (is_busy ? undefined : action?.())}
          >
            <Icon aria-hidden="true" />
            <span className="visually-hidden">{label}</span>
          </button>
        ))}
      </div>
    </li>
  );
}

/** The media on a tag's profile, which its owner can add, reorder and remove. */
export function TagMedia({ tag }: { tag: Tag }) {
  const queries = useQueryClient();
  const { id } = tag;
  const sendFile: SendFile = useCallback(
    async (input) => {
      const file = await sdk.tags.addTagMedia({ path: { xtag_id: id }, ...input });
      setMedia(queries, id, (media) => [...media.filter((one) => one.id !== file.id), file]);
      return file;
    },
    [id, queries],
  );
  const { uploads, add, remove: forget } = useUploads(MAX_FILES - tag.media.length, sendFile);
  useEffect(() => {
    // Uploaded files are now shown among the others.
    for (const { key, file } of uploads) if (file !== undefined) forget(key);
  }, [uploads, forget]);
  const { remove, move, is_busy } = useMediaMutations(tag);
  const last = tag.media.length - 1;
  const counts: Partial<Record<MediaFile['kind'], number>> = {};
  const names = tag.media.map(({ kind }) => `${nameOfFile(kind)} ${(counts[kind] = (counts[kind] ?? 0) + 1)}`);
  return (
    <section className="card" aria-labelledby="media-heading">
      <h2 id="media-heading">{i18n.t('Media')}</h2>
      <p className="soft">{i18n.t('Shown on its profile in this order.')}</p>
      {tag.media.length + uploads.length === 0 ? null : (
        <ul className="uploads" aria-label={i18n.t('What it shows')}>
          {tag.media.map((file, at) => (
            <Item
              key={file.id}
              file={file}
              name={names[at] ?? ''}
              is_busy={is_busy}
              onEarlier={at === 0 ? undefined : () => move(at, -1)}
              onLater={at === last ? undefined : () => move(at, 1)}
              onRemove={() => remove.mutate(file.id)}
            />
          ))}
          {uploads.map((upload) => (
            <UploadItem key={upload.key} upload={upload} onRemove={() => forget(upload.key)} />
          ))}
        </ul>
      )}
      <div className="cluster">
        <ChooseFiles
          label={i18n.t('Add files')}
          is_full={tag.media.length + uploads.length >= MAX_FILES}
          onFiles={add}
        />
      </div>
    </section>
  );
}
