/** Layers that nobody watches are not sent at all: the publisher is told which are wanted ("dynacast" in LiveKit). */
import { SubscribedQuality, SubscribedQualityUpdate, SubscribedCodec } from '@livekit/protocol';

/** How long a layer must be unwatched before it is taken back, so that a glance away costs no key frame. */
const HOLD_MS = 5_000;

/** Follows the best layer of one track that is watched. */
export class WatchedQuality {
  #told = 2;
  #lower_since_ms: number | undefined;

  /**
   * @param best the best layer that is watched now, 0 to 2; -1: none
   * @returns what the publisher is to be told, or undefined when it knows
   */
  update(best: number, now_ms: number): number | undefined {
    if (best >= this.#told) this.#lower_since_ms = undefined;
    else this.#lower_since_ms ??= now_ms;
    const is_due = this.#lower_since_ms !== undefined && now_ms - this.#lower_since_ms >= HOLD_MS;
    if (best === this.#told || (best < this.#told && !is_due)) return undefined;
    this.#lower_since_ms = undefined;
    this.#told = best;
    return best;
  }
}

/** The message to the publisher. A track of one layer is wanted whole or not at all. */
export function writeQualities(trackSid: string, best: number, simulcast: boolean): SubscribedQualityUpdate {
  const qualities = [0, 1, 2].map(
    (quality) => new SubscribedQuality({ quality, enabled: simulcast ? quality <= best : best >= 0 }),
  );
  return new SubscribedQualityUpdate({
    trackSid,
    subscribedQualities: qualities,
    subscribedCodecs: [new SubscribedCodec({ codec: 'vp8', qualities })],
  });
}
