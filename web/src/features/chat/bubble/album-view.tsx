import type { MediaFile } from '@asterism/sdk';
import type { CSSProperties, ReactNode } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { nameMedia } from '../../files/file-text.ts';
import { isShown } from '../../files/lightbox/pictures.ts';
import { MediaView, Medium } from '../../files/media-view.tsx';

/** How many pictures of an album are shown. */
const MAX_SHOWN = 4;

interface AlbumProps {
  files: readonly MediaFile[];
  by: string | undefined;
  at: string;
  /** Shown in the player of a single piece of audio. */
  stamp: ReactNode;
}

/** The media of a message: several pictures are a grid of up to four, the last of which stands for the others. */
export function AlbumView({ files, by, at, stamp }: AlbumProps) {
  const media = nameMedia(files, by, at);
  const pictures = media.filter(({ file }) => isShown(file));
  if (pictures.length < 2) return <MediaView files={files} by={by} at={at} stamp={stamp} />;
  const more = Math.max(0, pictures.length - MAX_SHOWN);
  const shown = pictures.slice(0, MAX_SHOWN).map((one, index) =>
    more > 0 && index === MAX_SHOWN - 1
      ? {
          ...one,
          name: i18n.t('{name}, and {count, plural, one {# more} other {# more}}', { name: one.name, count: more }),
        }
      : one,
  );
  const others = media.filter(({ file }) => !isShown(file));
  const sign = { '--more': `'+${formatNumber(more)}'` } as CSSProperties;
  return (
    <div
      className="media"
      data-many={shown.length}
      data-more={more > 0 || undefined}
      style={more > 0 ? sign : undefined}
    >
      {[...shown, ...others].map((medium) => (
        <Medium key={medium.file.id} medium={medium} pictures={pictures} stamp={stamp} is_near={false} />
      ))}
    </div>
  );
}
