import type { Track, TrackProcessor, VideoProcessorOptions } from 'livekit-client';
import { blurTrack } from './blur-track.ts';
import type { BlurredTrack } from './blur-track.ts';

/** The blur as the media client takes it: put on each camera track before it is published, so that nobody sees what is behind. */
export class BlurProcessor implements TrackProcessor<Track.Kind.Video, VideoProcessorOptions> {
  readonly name = 'background-blur';
  processedTrack?: MediaStreamTrack;
  readonly #onGiveUp: () => void;
  #blurred: BlurredTrack | undefined;

  /** @param onGiveUp is called when this device is too slow for it */
  constructor(onGiveUp: () => void) {
    this.#onGiveUp = onGiveUp;
  }

  /**
   * Begins with a camera.
   * @throws an error named `BlurError`; a camera that nobody saw yet is then closed
   */
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

  /** Goes on with another camera, or with the same one after it was off. */
  async restart({ track }: VideoProcessorOptions): Promise<void> {
    await this.#blurred?.follow(track);
  }

  /** Ends it, and frees what it took. */
  async destroy(): Promise<void> {
    const blurred = this.#blurred;
    this.#blurred = undefined;
    delete this.processedTrack;
    await blurred?.stop();
  }
}
