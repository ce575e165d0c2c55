import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { Blur } from './blur.tsx';
import { easingOut } from '../../../ui/overlay/motion.ts';
import { useFreshFile } from '../fresh-file.ts';
import type { LightboxPicture } from './pictures.ts';
import type { Size, View } from './zoom.ts';

/** The link of a picture on the page. */
export const findOnPage = (file_id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-picture="${CSS.escape(file_id)}"]`);

/** What is shown until the picture is loaded: as the page shows it, which is loaded already, or its small size. */
function usePreview({ file }: LightboxPicture): string | undefined {
  const [preview] = useState(() => {
    const on_page = findOnPage(file.id)?.querySelector('img');
    if (on_page?.complete === true && on_page.naturalWidth > 0) return on_page.currentSrc;
    return file.variants.find(({ name }) => name === 'small')?.url;
  });
  return preview ?? file.poster_url ?? undefined;
}

/** Lets the picture grow from where it was on the page. */
function useGrowth(from: DOMRect | undefined, is_placed: boolean) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const picture = element.current;
    if (picture === null || from === undefined || !is_placed) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const to = picture.getBoundingClientRect();
    const x = from.x + from.width / 2 - to.x - to.width / 2;
    const y = from.y + from.height / 2 - to.y - to.height / 2;
    const scale = Math.max(from.width / to.width, from.height / to.height);
    picture.animate(
      { transform: [`translate(${x}px, ${y}px) scale(${scale})`, 'none'] },
      { duration: 200, easing: easingOut() },
    );
    // Only when it is opened.
  }, [is_placed]);
  return element;
}

/** The sizes between which the browser chooses: an animation moves only in the original, which is small then. */
function sourcesOf({ file }: LightboxPicture, stream_url: string): string | undefined {
  const large = file.variants.find(({ name }) => name === 'large');
  if (large === undefined || file.width === undefined || large.width >= file.width) return undefined;
  return `${large.url} ${large.width}w, ${stream_url} ${file.width}w`;
}

interface MediumProps {
  picture: LightboxPicture;
  is_shown: boolean;
}

interface VideoProps extends MediumProps {
  /** Whether it is what the reader opened, and thus starts by itself. */
  is_opened: boolean;
  poster: string | undefined;
}

/** A video with the browser's own controls. It stops when the reader goes on to another one. */
function Video({ picture: { file, name }, is_shown, is_opened, poster }: VideoProps) {
  const { stream_url, renew, is_lost } = useFreshFile(file);
  const video = useRef<HTMLVideoElement>(null);
  const [is_playable, setPlayable] = useState(false);
  useEffect(() => {
    if (!is_shown) video.current?.pause();
  }, [is_shown]);
  return (
    <>
      <video
        ref={video}
        controls
        playsInline
        autoPlay={is_opened}
        preload={is_shown ? 'metadata' : 'none'}
        src={stream_url}
        poster={poster}
        tabIndex={is_shown ? 0 : -1}
        aria-label={name}
        onLoadedMetadata={() => setPlayable(true)}
        onError={renew}
      />
      {is_shown && is_lost && !is_playable ? <Lost text={i18n.t('Couldn’t load the video.')} /> : null}
    </>
  );
}

function Lost({ text }: { text: string }) {
  return (
    <p className="lightbox-lost" role="status">
      {text}
    </p>
  );
}

interface SlideProps extends MediumProps {
  /** Its place in the row of pictures: negative for those that are older than what was loaded at first. */
  place: number;
  /** Its size on the page, undefined before layout. */
  fitted: Size | undefined;
  view: View;
  /** Where it was on the page when the lightbox was opened. */
  from: DOMRect | undefined;
}

interface StillProps extends MediumProps {
  preview: string | undefined;
  /** The width at which it is shown. */
  width_px: number;
}

/** A picture, with a blurred or small one until it is loaded. */
function Still({ picture, is_shown, preview, width_px }: StillProps) {
  const { file, name } = picture;
  const { stream_url, renew, is_fresh, is_lost } = useFreshFile(file);
  const [is_loaded, setLoaded] = useState(false);
  const [has_preview, setHasPreview] = useState(preview !== undefined);
  const is_failed = is_lost && !is_loaded;
  return (
    <>
      {is_loaded || file.blurhash === undefined ? null : <Blur hash={file.blurhash} />}
      {is_loaded || !has_preview ? null : (
        <img src={preview} alt="" draggable={false} onError={() => setHasPreview(false)} />
      )}
      <img
        src={stream_url}
        srcSet={is_fresh ? undefined : sourcesOf(picture, stream_url)}
        sizes={`${width_px}px`}
        alt={name}
        draggable={false}
        decoding="async"
        data-loaded={is_loaded ? '' : undefined}
        data-failed={is_failed ? '' : undefined}
        onLoad={() => setLoaded(true)}
        onError={renew}
      />
      {is_shown && is_failed ? <Lost text={i18n.t('Couldn’t load the picture.')} /> : null}
    </>
  );
}

/** One picture or video of the lightbox. */
export function Slide({ picture, place, is_shown, fitted, view, from }: SlideProps) {
  const preview = usePreview(picture);
  const box = useGrowth(from, fitted !== undefined);
  const style: CSSProperties = { insetInlineStart: `calc(${place} * (100% + var(--gap)))` };
  const { scale, x, y } = view;
  return (
    <div className="lightbox-slide" style={style} aria-hidden={!is_shown}>
      {fitted === undefined ? null : (
        <div
          ref={box}
          className="lightbox-picture"
          style={{ width: fitted.width, height: fitted.height, transform: `translate(${x}px, ${y}px) scale(${scale})` }}
        >
          {picture.file.kind === 'video' ? (
            <Video picture={picture} is_shown={is_shown} is_opened={from !== undefined} poster={preview} />
          ) : (
            <Still picture={picture} is_shown={is_shown} preview={preview} width_px={Math.ceil(fitted.width * scale)} />
          )}
        </div>
      )}
    </div>
  );
}
