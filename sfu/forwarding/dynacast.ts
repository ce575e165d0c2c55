/** Dynacast, as in LiveKit: publishers are told which layers have subscribers, and pause the others. */
import { SubscribedQuality, SubscribedQualityUpdate, SubscribedCodec } from '@livekit/protocol';

/** How long a layer must have no subscribers before it is paused, so that a short look away costs no key frame. */
const HOLD_MS = 5_000;

/** Tracks the best subscribed layer of one track. */
export class WatchedQuality {
  #announced = 2;
  #lower_since_ms: number | undefined;

  /**
   * @param best the best layer with subscribers now, 0 to 2; -1: none
   * @returns the quality to send to the publisher, or undefined when it is unchanged
   */
  update(best: number, now_ms: number): number | undefined {
    if (best >= this.#announced) this.#lower_since_ms = undefined;
    else this.#lower_since_ms ??= now_ms;
    const is_due = this.#lower_since_ms !== undefined && now_ms - this.#lower_since_ms >= HOLD_MS;
    if (best === this.#announced || (best < this.#announced && !is_due)) return undefined;
    this.#lower_since_ms = undefined;
    this.#announced = best;
    return best;
  }
}

/** The message to the publisher. A track without simulcast is enabled or disabled as a whole. */
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
