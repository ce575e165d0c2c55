import type { Track, TrackProcessor, VideoProcessorOptions } from 'livekit-client';
import { blurTrack } from './blur-track.ts';
import type { BlurredTrack } from './blur-track.ts';

/**
 * The blur as a track processor of the media client: applied to each camera track before it is published, so that
 * nobody sees the background.
 */
export class BlurProcessor implements TrackProcessor<Track.Kind.Video, VideoProcessorOptions> {
  readonly name = 'background-blur';
  processedTrack?: MediaStreamTrack;
  readonly #onGiveUp: () => void;
  #blurred: BlurredTrack | undefined;

  /** @param onGiveUp is called when this device is too slow */
  constructor(onGiveUp: () => void) {
    this.#onGiveUp = onGiveUp;
  }

  /** Starts with a camera. @throws an error named `BlurError`; a camera that nobody has seen yet is then closed */
  async init({ track, localTrack }: VideoProcessorOptions): Promise<void> {
    await this.destroy();
    try {
      this.#blurred = await blurTrack(track, this.#onGiveUp);
    } catch (cause) {
      if (localTrack?.sender === undefined) track.stop();
      throw Object.assign(new Error('Blur could not be started.', { cause }), { name: 'BlurError' });
    }
    this.processedTrack = this.#blurred.track;
  }

  /** Restarts with another camera, or with the same one after it was off. */
  async restart({ track }: VideoProcessorOptions): Promise<void> {
    await this.#blurred?.follow(track);
  }

  /** Stops, and frees its resources. */
  async destroy(): Promise<void> {
    const blurred = this.#blurred;
    this.#blurred = undefined;
    delete this.processedTrack;
    await blurred?.stop();
  }
}
