const TICK_MS = 50;

/** After this long without a frame callback, the page is assumed to be hidden. */
const SILENT_MS = 120;

/** The pause after a frame, as a fraction of its processing time, which leaves time for other work. */
const REST = 0.5;

/** A timer in a worker: browsers throttle timers of hidden pages, but not of workers. */
function startTicks(onTick: () => void): () => void {
  const address = URL.createObjectURL(new Blob([`setInterval(() => postMessage(0), ${TICK_MS});`]));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  worker.addEventListener('message', onTick);
  return () => worker.terminate();
}

/**
 * Calls back for each video frame that there is time for, never concurrently; also while the page is hidden, when
 * browsers announce no frames.
 * @returns a function that stops it, and resolves when the last call is over
 */
export function forEachFrame(video: HTMLVideoElement, onFrame: () => Promise<void>): () => Promise<void> {
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
