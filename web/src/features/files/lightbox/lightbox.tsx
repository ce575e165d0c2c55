import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from 'lucide-react';
import { Dialog as Parts } from 'radix-ui';
import { useCallback, useRef, useState } from 'react';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { pageDirection } from '../../../i18n/page-direction.ts';
import { restoreFocus } from '../../../ui/overlay/dismiss/restore-focus.ts';
import { animateLeave } from '../../../ui/overlay/dismiss/animate-leave.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { When } from '../../../ui/when.tsx';
import { useDownload } from '../use-download.ts';
import { openLightbox } from './open-lightbox.ts';
import type { OpenLightbox } from './open-lightbox.ts';
import type { LightboxPicture } from './pictures.ts';
import { Row } from './row.tsx';
import { findOnPage } from './slide.tsx';
import { useGestures } from './use-gestures.ts';
import { useHistoryEntry } from './use-history-entry.ts';
import { CENTRE, keyHandler, pixelsOf, useLightbox } from './use-lightbox.ts';
import type { LightboxState } from './use-lightbox.ts';
import type { Point } from './zoom.ts';
import './lightbox.css';

/** How far a picture is dragged down until the page behind is seen in full. */
const CLEAR_PX = 480;

interface ButtonProps {
  label: string;
  className?: string;
  is_disabled?: boolean;
  onPress: () => void;
  children: ReactNode;
}

/** A round button. One that can do nothing keeps the focus, for the keyboard. */
function RoundButton({ label, className = '', is_disabled = false, onPress, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      title={label}
      aria-disabled={is_disabled}
      onClick={() => (is_disabled ? undefined : onPress())}
    >
      {children}
      <span className="visually-hidden">{label}</span>
    </button>
  );
}

function DownloadButton({ picture }: { picture: LightboxPicture }) {
  const keep = useDownload(picture.file);
  return (
    <RoundButton label={i18n.t('Download')} is_disabled={keep.isPending} onPress={() => keep.mutate()}>
      <Download aria-hidden="true" />
    </RoundButton>
  );
}

interface HeadProps {
  picture: LightboxPicture;
  number: number;
  /** Undefined as long as older ones may be added. */
  count: number | undefined;
  is_zoomed: boolean;
  onZoom: () => void;
}

/** Who posted the picture or video and when, and what can be done with it. */
function Head({ picture, number, count, is_zoomed, onZoom }: HeadProps) {
  return (
    <header className="lightbox-head">
      <div className="lightbox-who">
        <b className="cut" dir="auto">
          {picture.by ?? i18n.t('You')}
        </b>
        <span className="lightbox-facts">
          <When at={picture.at} className="" />
          {count !== undefined && count > 1 ? <span>{i18n.t('{number} of {count}', { number, count })}</span> : null}
        </span>
      </div>
      {picture.file.kind === 'video' ? null : (
        <RoundButton label={is_zoomed ? i18n.t('Zoom out') : i18n.t('Zoom in')} onPress={onZoom}>
          {is_zoomed ? <ZoomOut aria-hidden="true" /> : <ZoomIn aria-hidden="true" />}
        </RoundButton>
      )}
      <DownloadButton picture={picture} />
      <Parts.Close className="icon-button" title={i18n.t('Close')}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Close')}</span>
      </Parts.Close>
    </header>
  );
}

/** Buttons to the pictures and videos before and after the shown one. */
function Steps({ lightbox }: { lightbox: LightboxState }) {
  const { pictures, index, has_older, is_seeking, goTo } = lightbox;
  const kindOf = (at: number) => pictures[at]?.file.kind ?? 'image';
  if (pictures.length === 1 && !has_older) return null;
  return (
    <>
      {is_seeking ? (
        <p className="lightbox-seeking" role="status">
          {i18n.t('Loading older pictures…')}
        </p>
      ) : null}
      <RoundButton
        className="lightbox-before"
        label={i18n.t('{kind, select, video {Previous video} other {Previous picture}}', { kind: kindOf(index - 1) })}
        is_disabled={index === 0 && (is_seeking || !has_older)}
        onPress={() => goTo(index - 1)}
      >
        <ChevronLeft aria-hidden="true" />
      </RoundButton>
      <RoundButton
        className="lightbox-next"
        label={i18n.t('{kind, select, video {Next video} other {Next picture}}', { kind: kindOf(index + 1) })}
        is_disabled={index === pictures.length - 1}
        onPress={() => goTo(index + 1)}
      >
        <ChevronRight aria-hidden="true" />
      </RoundButton>
    </>
  );
}

/** What has the focus when the lightbox is closed: the picture that was shown last, if it is on the page. */
function returnFocus({ pictures, index: first, opener }: OpenLightbox, last: LightboxPicture): void {
  if (last === pictures[first] && opener.isConnected) return opener.focus({ preventScroll: true });
  restoreFocus(findOnPage(last.file.id) ?? opener);
}

interface LayerProps extends ComponentProps<typeof Parts.Content> {
  /** How much of the page behind is seen, from 0 to 1. */
  clear: number;
  onClose: () => void;
  onReturn: () => void;
}

/** The layer over the page: a modal dialog, which a press on a toast or a ring above it does not close. */
function Layer({ clear, onClose, onReturn, ...content }: LayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const shown = useCallback((element: HTMLDivElement | null) => {
    layer.current = element;
    return animateLeave(element);
  }, []);
  return (
    <Parts.Root open onOpenChange={onClose}>
      <Parts.Portal>
        <Parts.Overlay ref={animateLeave} className="lightbox-veil" style={{ '--clear': clear } as CSSProperties} />
        <Parts.Content
          ref={shown}
          className="lightbox night"
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            layer.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onReturn();
          }}
          {...content}
        />
      </Parts.Portal>
    </Parts.Root>
  );
}

const closeLightbox = () => openLightbox(undefined);

/** Pictures and videos in the whole window, over the page that they belong to. */
export function Lightbox(props: OpenLightbox) {
  const { index: first, opener } = props;
  const close = useHistoryEntry(closeLightbox);
  const lightbox = useLightbox(props, () => {
    close();
    showToast(i18n.t('Message deleted'));
  });
  const { viewport, viewport_size, pictures, index, picture, fitted, view, announced, goTo, setView } = lightbox;
  const [drag, setDrag] = useState<Point>();
  const [has_bars, setBars] = useState(true);
  const [origin] = useState(() => opener.getBoundingClientRect());
  const gestures = useGestures({
    viewport,
    viewport_size,
    picture: pixelsOf(picture),
    fitted,
    view,
    onView: setView,
    onDrag: setDrag,
    onSwipe: (side) => goTo(index + (pageDirection() === 'rtl' ? -side : side)),
    onClose: close,
    onTap: () => setBars(!has_bars),
    onMouse: () => setBars(true),
  });
  const onKeyDown = keyHandler(lightbox);
  return (
    <Layer
      clear={Math.min(1, Math.abs(drag?.y ?? 0) / CLEAR_PX)}
      onClose={close}
      onReturn={() => returnFocus(props, picture)}
      data-bars={has_bars ? '' : undefined}
      data-dragged={drag === undefined ? undefined : ''}
      onKeyDown={(event) => {
        setBars(true);
        onKeyDown(event);
      }}
    >
      <Parts.Title className="visually-hidden">{picture.name}</Parts.Title>
      <Head
        picture={picture}
        number={index + 1}
        count={lightbox.has_older ? undefined : pictures.length}
        is_zoomed={view.scale > 1}
        onZoom={lightbox.toggleZoom}
      />
      <div className="lightbox-stage" data-zoomed={view.scale > 1 ? '' : undefined} {...gestures}>
        <div ref={viewport} className="lightbox-room">
          <Row
            lightbox={lightbox}
            drag={drag ?? CENTRE}
            from={(place) => (place === first && announced === '' ? origin : undefined)}
          />
        </div>
      </div>
      <Steps lightbox={lightbox} />
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
    </Layer>
  );
}
