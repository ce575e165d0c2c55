const TICK_MS = 50;

/** After this long without a frame announced, the page is taken for one that is not shown. */
const SILENT_MS = 120;

/** How long the page rests after a frame, in parts of what the frame took: it has more to do than this. */
const REST = 0.5;

/** A clock that goes on at its pace while the page is hidden: browsers hold back the timers of pages, and not those of workers. */
function startTicks(onTick: () => void): () => void {
  const address = URL.createObjectURL(new Blob([`setInterval(() => postMessage(0), ${TICK_MS});`]));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.addEventListener('message', onTick);
  return () => worker.terminate();
}

/**
 * Calls for each frame of a video that there is time for, never twice at once; also while the page is hidden, when browsers announce no frames.
 * @returns ends it, and resolves when the last call is over
 */
export function followFrames(video: HTMLVideoElement, onFrame: () => Promise<void>): () => Promise<void> {
  let is_stopped = false;
  let running: Promise<void> | undefined;
  let announced_at = -Infinity;
  let rests_until = -Infinity;
  let request = 0;
  const run = () => {
    const begun_at = performance.now();
    if (is_stopped || running !== undefined || begun_at < rests_until) return;
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    running = onFrame().finally(() => {
      running = undefined;
      const now = performance.now();
      rests_until = now + REST * (now - begun_at);
    });
  };
  const announces = typeof video.requestVideoFrameCallback === 'function';
  const listen = () => {
    request = video.requestVideoFrameCallback(() => {
      announced_at = performance.now();
      run();
      listen();
    });
  };
  if (announces) listen();
  const stopTicks = startTicks(() => {
    if (performance.now() - announced_at > SILENT_MS) run();
  });
  return async () => {
    is_stopped = true;
    stopTicks();
    if (announces) video.cancelVideoFrameCallback(request);
    await running;
  };
}
