/** Bandwidth estimation for a receiver, and the allocation of layers within it. */

/** A video track that a receiver subscribes to. */
export type VideoRequest = {
  /** The best layer that is requested: 0 low, 1 medium, 2 high. */
  quality: number;
  /** The bitrates of active layers, by quality, in bits per second. */
  rates: (number | undefined)[];
  /** Screens take precedence over cameras: they contain text. */
  is_screen: boolean;
};

/** A congested receiver lowers its estimate to 0.85 of what arrives; an increase is slow and carries no information. */
const DROP_SHARE = 0.97;
const CONGESTED_SHARE = 0.9;
/** Loss above this means congestion, even if the estimate is higher. */
const CONGESTED_LOSS = 0.1;
const DROP_GOOD_MS = 1_500;
const LOSS_GOOD_MS = 1_500;
const FIRST_WAIT_MS = 3_000;
const MAX_WAIT_MS = 60_000;
/** A rate this much above the last congested one is likely to cause congestion again, and is probed later. */
const FAR_SHARE = 1.5;
const FAR_WAIT_MS = 12_000;
/** How long an increase must last to count as successful. */
const TRIAL_MS = 5_000;
/** Measured rates fluctuate; this much headroom is required. */
const MARGIN = 1.1;

/**
 * Tracks a receiver's available bandwidth by its estimates (REMB) and loss reports. A receiver estimates from what it
 * gets, so that its estimate never shows much headroom: whether there is more is probed, with a back-off that doubles
 * after each failed probe.
 */
export class BandwidthEstimate {
  /** Bits per second for all video together; infinite while there is no sign of congestion. */
  limit_bps = Infinity;
  #estimate_bps: number | undefined;
  #drop: { bps: number; at_ms: number } | undefined;
  #loss: { share: number; at_ms: number } | undefined;
  #congested_at_ms = -Infinity;
  #raised_at_ms = -Infinity;
  #wait_ms = FIRST_WAIT_MS;
  /** The rate at which congestion last occurred, until a higher one has lasted. */
  #carried_bps = Infinity;

  updateBandwidth(bps: number, now_ms: number): void {
    if (this.#estimate_bps !== undefined && bps < this.#estimate_bps * DROP_SHARE) this.#drop = { bps, at_ms: now_ms };
    this.#estimate_bps = bps;
  }

  /** @param share the fraction of a stream's packets that were lost, 0 to 1 */
  updateLoss(share: number, now_ms: number): void {
    const before = this.#loss && now_ms - this.#loss.at_ms < LOSS_GOOD_MS ? this.#loss.share : share;
    this.#loss = { share: (share + before) / 2, at_ms: now_ms };
  }

  /** Detects congestion: the rate that arrived, when less than was sent; otherwise undefined. */
  #findCongestion(sent_bps: number, now_ms: number): number | undefined {
    const dropped = this.#drop && now_ms - this.#drop.at_ms < DROP_GOOD_MS ? this.#drop.bps : Infinity;
    const loss = this.#loss && now_ms - this.#loss.at_ms < LOSS_GOOD_MS ? this.#loss.share : 0;
    const by_loss = loss > CONGESTED_LOSS ? sent_bps * (1 - loss / 2) : Infinity;
    const by_estimate = dropped < sent_bps * CONGESTED_SHARE ? dropped : Infinity;
    const carried = Math.min(by_loss, by_estimate);
    return carried === Infinity ? undefined : carried;
  }

  /**
   * To be called about twice a second.
   * @param sent_bps the current video bitrate
   * @param next_bps the bitrate with the next better layer; undefined when every track has the requested one
   */
  update(sent_bps: number, next_bps: number | undefined, now_ms: number): void {
    const carried = this.#findCongestion(sent_bps, now_ms);
    if (carried !== undefined) {
      if (now_ms - this.#raised_at_ms < TRIAL_MS) {
        this.#wait_ms = Math.min(this.#wait_ms * 2, MAX_WAIT_MS);
        this.#raised_at_ms = -Infinity;
      }
      this.#congested_at_ms = now_ms;
      this.#carried_bps = carried;
      this.limit_bps = Math.min(this.limit_bps, carried);
      return;
    }
    if (this.limit_bps === Infinity) return;
    const held = now_ms - this.#raised_at_ms;
    if (held >= TRIAL_MS && held < Infinity) {
      this.#wait_ms = FIRST_WAIT_MS;
      this.#carried_bps = Infinity;
    }
    const is_far = next_bps !== undefined && next_bps > this.#carried_bps * FAR_SHARE;
    const since = Math.max(this.#congested_at_ms, this.#raised_at_ms);
    if (now_ms - since < (is_far ? Math.max(this.#wait_ms, FAR_WAIT_MS) : this.#wait_ms)) return;
    this.#raised_at_ms = now_ms;
    this.limit_bps = next_bps === undefined ? Infinity : Math.max(this.limit_bps, next_bps * MARGIN);
  }
}

const rateOf = ({ rates }: VideoRequest, quality: number): number => {
  for (let at = quality; at >= 0; at--) if (rates[at] !== undefined) return rates[at] ?? 0;
  return 0;
};

/** The next better active layer, or undefined. */
const nextOf = ({ quality, rates }: VideoRequest, from: number): number | undefined => {
  for (let at = from + 1; at <= quality; at++) if (rates[at] !== undefined) return at;
  return undefined;
};

/** What a receiver is sent. */
export type Allocation = {
  /** For each track the best layer that may be sent; -1: none. */
  qualities: number[];
  /** The total bitrate with the next better layer; undefined when every track has the requested one. */
  next_bps: number | undefined;
};

/**
 * Allocates bandwidth: each track gets its lowest layer before any gets a better one. The first track is always sent,
 * since a connection that carries audio can carry a little more.
 */
export function allocate(requests: VideoRequest[], limit_bps: number): Allocation {
  const order = requests.map((_, index) => index);
  order.sort((a, b) => Number(requests[b]?.is_screen) - Number(requests[a]?.is_screen) || a - b);
  const qualities = requests.map(() => -1);
  let sum = 0;
  let next_bps: number | undefined;
  const tell = (bps: number) => {
    next_bps = Math.min(next_bps ?? Infinity, bps);
  };
  for (const index of order) {
    const video = requests[index] as VideoRequest;
    const lowest = nextOf(video, -1) ?? video.quality;
    const rate = rateOf(video, lowest);
    if (index !== order[0] && sum + rate > limit_bps) {
      tell(sum + rate);
      continue;
    }
    qualities[index] = lowest;
    sum += rate;
  }
  for (let raised = true; raised;) {
    raised = false;
    for (const index of order) {
      const video = requests[index] as VideoRequest;
      const [now, next] = [qualities[index] ?? -1, nextOf(video, qualities[index] ?? -1)];
      if (now < 0 || next === undefined) continue;
      const more = sum + rateOf(video, next) - rateOf(video, now);
      if (more > limit_bps) tell(more);
      else {
        qualities[index] = next;
        sum = more;
        raised = true;
      }
    }
  }
  // Active layers may change before the next allocation: where bandwidth is not the limit, the requested layer is allowed.
  requests.forEach(({ quality }, index) => {
    if (limit_bps === Infinity) qualities[index] = quality;
  });
  return { qualities, next_bps };
}
