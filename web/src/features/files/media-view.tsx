import type { MediaFile } from '@asterism/sdk';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useContext } from 'react';
import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import { Blur } from './lightbox/blur.tsx';
import { useFreshFile } from './fresh-file.ts';
import { openLightbox } from './lightbox/open-lightbox.ts';
import { isShown, PicturesAround } from './lightbox/pictures.ts';
import type { LightboxPicture } from './lightbox/pictures.ts';
import { nameMedia } from './file-text.ts';
import { describeDuration } from '../../ui/when.tsx';
import { AudioPlayer } from './audio-player.tsx';
import './media-view.css';

/** The narrowest and the widest shape in which a picture is shown: a screenshot of a phone, and a panorama. */
const [NARROWEST, WIDEST] = [0.45, 3];

/** The shape of a picture. A strip would show nothing: its middle is shown, and the lightbox has the whole. */
function shapeOf({ width = 4, height = 3 }: MediaFile): CSSProperties {
  const ratio = Math.min(Math.max(width / height, NARROWEST), WIDEST);
  return { aspectRatio: ratio, '--ratio': ratio } as CSSProperties;
}

/** Opens a picture or a video in the lightbox, among all of its chat, or else of its post. */
function useOpen({ file }: LightboxPicture, own: readonly LightboxPicture[]) {
  const around = useContext(PicturesAround);
  return (event: MouseEvent<HTMLElement>) => {
    // Such a click opens the address in a tab or a window, as that of any link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const isIt = (one: LightboxPicture) => one.file === file;
    const all = around?.read() ?? [];
    // A message that is not sent yet is not among those of the chat.
    const [pictures, chat] = all.some(isIt) ? [all, around] : [own];
    openLightbox({ pictures, index: pictures.findIndex(isIt), opener: event.currentTarget, chat });
  };
}

interface PictureProps {
  picture: LightboxPicture;
  own: readonly LightboxPicture[];
  /** Whether it is visible at once, so that it is requested without delay. */
  is_near?: boolean;
}

/** A picture, or a video by its poster: a link that opens the lightbox, where a video plays. */
export function Picture({ picture, own, is_near = false }: PictureProps) {
  const { file, name } = picture;
  const open = useOpen(picture, own);
  const { stream_url, renew, is_fresh } = useFreshFile(file);
  const is_video = file.kind === 'video';
  const src = is_video ? file.poster_url : stream_url;
  const sizes = file.variants.filter((one) => one.name !== 'poster');
  // A renewed address is of the original file: the addresses of its variants have expired together with the first one.
  const set = is_fresh || is_video ? undefined : sizes.map(({ url, width }) => `${url} ${width}w`).join(', ');
  return (
    <a
      className="media-frame"
      style={shapeOf(file)}
      href={stream_url}
      target="_blank"
      rel="noreferrer"
      aria-haspopup="dialog"
      data-picture={file.id}
      data-video={is_video ? (file.duration_s === undefined ? '' : describeDuration(file.duration_s)) : undefined}
      aria-label={name}
      onClick={open}
    >
      {file.blurhash === undefined ? null : <Blur hash={file.blurhash} />}
      {src === null ? null : (
        <img
          src={src}
          srcSet={set || undefined}
          sizes={'(min-width: 860px) 36rem, 92vw'}
          width={file.width}
          height={file.height}
          alt={name}
          loading={is_near ? 'eager' : 'lazy'}
          decoding="async"
          onError={renew}
        />
      )}
    </a>
  );
}

/** A file for download, whose code is not among that of the first page. */
export const DownloadCard = lazyRouteComponent(() => import('./download-card.tsx'), 'DownloadCard');

interface MediumProps {
  medium: LightboxPicture;
  /** The pictures and videos of the same post. */
  pictures: readonly LightboxPicture[];
  stamp: ReactNode;
  is_near: boolean;
}

/** One medium of a post. */
export function Medium({ medium, pictures, stamp, is_near }: MediumProps) {
  const { file, name } = medium;
  if (isShown(file)) return <Picture picture={medium} own={pictures} is_near={is_near} />;
  if (file.kind === 'audio') return <AudioPlayer file={file} name={name} bars={28} stamp={stamp} />;
  return (
    <Suspense fallback={<div className="media-file" />}>
      <DownloadCard file={file} />
    </Suspense>
  );
}

interface MediaViewProps {
  files: readonly MediaFile[];
  by: string | undefined;
  /** When it was posted; by default, when each file was uploaded. */
  at?: string;
  /** Shown in the player of a single piece of audio. */
  stamp?: ReactNode;
  /** Whether they are visible at once, so that they are requested without delay. */
  is_near?: boolean;
}

/** All media of a post; each reserves its space before it is loaded. */
export function MediaView({ files, by, at, stamp, is_near = false }: MediaViewProps) {
  if (files.length === 0) return null;
  const media = nameMedia(files, by, at);
  const pictures = media.filter(({ file }) => isShown(file));
  return (
    <div className="media" data-many={pictures.length > 1 ? '' : undefined}>
      {media.map((medium) => (
        <Medium key={medium.file.id} medium={medium} pictures={pictures} stamp={stamp} is_near={is_near} />
      ))}
    </div>
  );
}
