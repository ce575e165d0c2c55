import { createBlurPainter } from './blur-painter.ts';
import { followFrames } from './follow-frames.ts';
import { createPace } from './pace.ts';
import { openSegmenter } from './segmenter.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** What is said when blur ends by itself, in the lobby as in a call. */
export const sayTooSlow = () => i18n.t('This device is too slow to blur your background, so blur is off.');

/** A camera's picture with its background blurred. */
export interface BlurredTrack {
  readonly track: MediaStreamTrack;
  /** Goes on with the picture of another camera, in the same track. */
  readonly follow: (camera: MediaStreamTrack) => Promise<void>;
  /** Ends the track and frees what it took; the camera is left as it is. */
  readonly stop: () => Promise<void>;
}

/** A module of one function that uses vectors (`i8x16.splat`, `i8x16.popcnt`): valid only where they are known. */
// prettier-ignore
const SIMD_MODULE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Whether this browser can blur at all: it must draw, record a canvas, and run the library's vector code. */
export function canBlur(): boolean {
  if (typeof HTMLCanvasElement.prototype.captureStream !== 'function' || typeof Worker === 'undefined') return false;
  if (typeof WebAssembly === 'undefined' || typeof WebGL2RenderingContext === 'undefined') return false;
  if (!('filter' in CanvasRenderingContext2D.prototype)) return false;
  return WebAssembly.validate(SIMD_MODULE);
}

async function show(video: HTMLVideoElement, camera: MediaStreamTrack): Promise<void> {
  video.srcObject = new MediaStream([camera]);
  // A camera that is off plays nothing until it is on again, and is then followed anew.
  if (camera.readyState === 'live') await video.play().catch(() => undefined);
}

/**
 * Blurs the background of a camera's picture.
 * @param onGiveUp is called once when this device is too slow for it, or fails at it; the track then stands still
 * @throws an error when the library or its model cannot be fetched or started
 */
export async function blurTrack(camera: MediaStreamTrack, onGiveUp: () => void): Promise<BlurredTrack> {
  const { width = 1280, height = 720 } = camera.getSettings();
  const segmenter = await openSegmenter(width >= height);
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  const pace = createPace();
  const painter = createBlurPainter();
  painter.canvas.width = width;
  painter.canvas.height = height;
  const track = painter.canvas.captureStream().getVideoTracks()[0]!;
  let has_given_up = false;
  const giveUp = () => {
    if (!has_given_up) onGiveUp();
    has_given_up = true;
  };
  const endFrames = followFrames(video, async () => {
    if (has_given_up || camera.readyState !== 'live') return;
    const started_at = performance.now();
    try {
      await painter.paint(video, segmenter, pace.effort());
    } catch {
      return giveUp();
    }
    if (pace.note(performance.now() - started_at) === 'give_up') giveUp();
  });
  await show(video, camera);
  return {
    track,
    async follow(next) {
      camera = next;
      await show(video, next);
    },
    async stop() {
      track.stop();
      await endFrames();
      video.srcObject = null;
      await segmenter.close();
    },
  };
}
