import { createBlurPainter } from './blur-painter.ts';
import { forEachFrame } from './for-each-frame.ts';
import { createPace } from './pace.ts';
import { openSegmenter } from './segmenter.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The message when blur is switched off automatically, in the lobby and in a call. */
export const describeTooSlow = () => i18n.t('This device is too slow to blur your background, so blur is off.');

/** A camera track with a blurred background. */
export interface BlurredTrack {
  readonly track: MediaStreamTrack;
  /** Switches to another camera within the same track. */
  readonly follow: (camera: MediaStreamTrack) => Promise<void>;
  /** Stops the track and frees its resources; the camera is not stopped. */
  readonly stop: () => Promise<void>;
}

/**
 * A minimal WebAssembly module with SIMD instructions (`i8x16.splat`, `i8x16.popcnt`): valid only where they are
 * supported.
 */
// prettier-ignore
const SIMD_MODULE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Whether this browser supports blur: canvas drawing and capture, and WebAssembly SIMD. */
export function canBlur(): boolean {
  if (typeof HTMLCanvasElement.prototype.captureStream !== 'function' || typeof Worker === 'undefined') return false;
  if (typeof WebAssembly === 'undefined' || typeof WebGL2RenderingContext === 'undefined') return false;
  if (!('filter' in CanvasRenderingContext2D.prototype)) return false;
  return WebAssembly.validate(SIMD_MODULE);
}

async function show(video: HTMLVideoElement, camera: MediaStreamTrack): Promise<void> {
  video.srcObject = new MediaStream([camera]);
  // A disabled camera delivers no frames until it is enabled again, and is then processed again.
  if (camera.readyState === 'live') await video.play().catch(() => undefined);
}

/**
 * Blurs the background of a camera track.
 * @param onGiveUp is called once when this device is too slow, or an error occurs; the track then freezes
 * @throws an error when the library or its model cannot be loaded or started
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
  const endFrames = forEachFrame(video, async () => {
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
