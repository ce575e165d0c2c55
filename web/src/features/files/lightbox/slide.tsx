import { useLayoutEffect, useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { Blur } from './blur.tsx';
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
  return preview;
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
      { duration: 200, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' },
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

interface SlideProps {
  picture: LightboxPicture;
  /** Its position in the row of pictures. */
  position: number;
  is_shown: boolean;
  /** Its size on the page, undefined before layout. */
  fitted: Size | undefined;
  view: View;
  /** Where it was on the page when the lightbox was opened. */
  from: DOMRect | undefined;
}

/** One picture of the lightbox, with a blurred or small one until it is loaded. */
export function Slide({ picture, position, is_shown, fitted, view, from }: SlideProps) {
  const { file, name } = picture;
  const { stream_url, renew, is_fresh, is_lost } = useFreshFile(file);
  const [is_loaded, setLoaded] = useState(false);
  const [preview, setPreview] = useState<string | undefined>(usePreview(picture));
  const box = useGrowth(from, fitted !== undefined);
  const is_failed = is_lost && !is_loaded;
  const style: CSSProperties = { insetInlineStart: `calc(${position} * (100% + var(--gap)))` };
  const { scale, x, y } = view;
  return (
    <div className="lightbox-slide" style={style} aria-hidden={!is_shown}>
      {fitted === undefined ? null : (
        <div
          ref={box}
          className="lightbox-picture"
          style={{ width: fitted.width, height: fitted.height, transform: `translate(${x}px, ${y}px) scale(${scale})` }}
        >
          {is_loaded || file.blurhash === undefined ? null : <Blur hash={file.blurhash} />}
          {is_loaded || preview === undefined ? null : (
            <img src={preview} alt="" draggable={false} onError={() => setPreview(undefined)} />
          )}
          <img
            src={stream_url}
            srcSet={is_fresh ? undefined : sourcesOf(picture, stream_url)}
            sizes={`${Math.ceil(fitted.width * scale)}px`}
            alt={name}
            draggable={false}
            decoding="async"
            data-loaded={is_loaded ? '' : undefined}
            data-failed={is_failed ? '' : undefined}
            onLoad={() => setLoaded(true)}
            onError={renew}
          />
          {is_shown && is_failed ? (
            <p className="lightbox-lost" role="status">
              {i18n.t('Couldn’t load the picture.')}
            </p>
          ) : null}
        </div>
      )}
    </div>
  );
}
