import type { Effort } from './pace.ts';
import { fitSize } from './pace.ts';
import type { Segmenter } from './segmenter.ts';

/** The longer side of the downscaled background: enlarging it blurs it further. */
const BACKGROUND_SIZE = 160;
const BACKGROUND_BLUR_PX = 4;

function createCanvas(): { canvas: HTMLCanvasElement; pen: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser draws no pictures.');
  return { canvas, pen };
}

function resize(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** Draws camera frames onto a canvas with a blurred background. */
export function createBlurPainter() {
  const out = createCanvas();
  const seen = createCanvas();
  const mask = createCanvas();
  const around = createCanvas();
  const background = createCanvas();
  let frame = 0;

  async function findPeople(video: HTMLVideoElement, segmenter: Segmenter, effort: Effort) {
    resize(seen.canvas, fitSize(video.videoWidth, video.videoHeight, effort.mask_size));
    seen.pen.drawImage(video, 0, 0, seen.canvas.width, seen.canvas.height);
    await segmenter.segment(seen.canvas, (found) => {
      resize(mask.canvas, seen.canvas);
      mask.pen.globalCompositeOperation = 'copy';
      mask.pen.drawImage(found, 0, 0, mask.canvas.width, mask.canvas.height);
    });
  }

  /** The background without the people, whose colours would otherwise bleed around them. */
  function erasePeople(video: HTMLVideoElement) {
    const { canvas, pen } = around;
    resize(canvas, fitSize(video.videoWidth, video.videoHeight, BACKGROUND_SIZE));
    pen.globalCompositeOperation = 'copy';
    pen.drawImage(video, 0, 0, canvas.width, canvas.height);
    pen.globalCompositeOperation = 'destination-out';
    pen.drawImage(mask.canvas, 0, 0, canvas.width, canvas.height);
  }

  function drawBackground(video: HTMLVideoElement) {
    erasePeople(video);
    const { canvas, pen } = background;
    resize(canvas, around.canvas);
    pen.filter = `blur(${BACKGROUND_BLUR_PX}px)`;
    // Extends the edges, where the blur would otherwise mix in transparent pixels.
    const beyond = 2 * BACKGROUND_BLUR_PX;
    pen.globalCompositeOperation = 'copy';
    // The surroundings are drawn repeatedly until they are opaque at the people's edges, and the whole picture below.
    for (const layer of [around.canvas, around.canvas, around.canvas, video]) {
      pen.drawImage(layer, -beyond, -beyond, canvas.width + 2 * beyond, canvas.height + 2 * beyond);
      pen.globalCompositeOperation = 'destination-over';
    }
  }

  function compose(video: HTMLVideoElement, effort: Effort) {
    const { canvas, pen } = out;
    resize(canvas, fitSize(video.videoWidth, video.videoHeight, effort.picture_size));
    const { width, height } = canvas;
    // The mask is enlarged many times, which softens its edge.
    pen.imageSmoothingQuality = 'high';
    pen.globalCompositeOperation = 'copy';
    pen.drawImage(mask.canvas, 0, 0, width, height);
    pen.globalCompositeOperation = 'source-in';
    pen.drawImage(video, 0, 0, width, height);
    pen.globalCompositeOperation = 'destination-over';
    pen.drawImage(background.canvas, 0, 0, width, height);
  }

  return {
    canvas: out.canvas,
    /** Draws the current video frame. */
    async paint(video: HTMLVideoElement, segmenter: Segmenter, effort: Effort): Promise<void> {
      if (frame % effort.mask_every === 0) await findPeople(video, segmenter, effort);
      frame += 1;
      drawBackground(video);
      compose(video, effort);
    },
  };
}
