/** Rate limits: the one table of rate budgets, and how they are counted and reported. */
import type { Bus } from '../../engines/ports.ts';
import { ApiError } from '../errors.ts';
import type { Clock } from '../time.ts';
import { networksOf } from './client-address.ts';
import { default_limits, type Limits } from './limits.ts';

type Budget = {
  quota: number;
  window_s: number;
  per: string;
  /** Behaviour while the store is down: sign-in refuses, messages are accepted. */
  when_down: 'refuse' | 'accept';
};

/** Every rate budget of the service. `THROTTLE_FACTOR` multiplies the quotas. */
export const throttle_table = {
  default: { quota: 600, window_s: 60, per: 'account, or address without one', when_down: 'accept' },
  // Above it, repeated requests with an idempotency key use their budgets like any other.
  replay: { quota: 600, window_s: 60, per: 'account or address that repeats requests', when_down: 'accept' },
  sign_in_ip: { quota: 30, window_s: 900, per: 'address', when_down: 'refuse' },
  sign_in: { quota: 10, window_s: 900, per: 'account and network, or known device', when_down: 'refuse' },
  sign_in_account: { quota: 100, window_s: 900, per: 'account, from unknown networks', when_down: 'refuse' },
  message_recipient: { quota: 5, window_s: 3600, per: 'recipient of SMS or e-mail', when_down: 'accept' },
  // Separate budgets, so that a stranger who triggers mail to a user cannot prevent their sign-in codes.
  sign_in_code: {
    quota: 5,
    window_s: 3600,
    per: 'recipient of sign-in codes, after the right password',
    when_down: 'accept',
  },
  message_account: { quota: 30, window_s: 86_400, per: 'account that causes SMS or e-mail', when_down: 'accept' },
  message_ip: { quota: 60, window_s: 3600, per: 'address that causes SMS or e-mail', when_down: 'accept' },
  message_country: { quota: 1000, window_s: 3600, per: 'country code of SMS', when_down: 'accept' },
  reply: { quota: 120, window_s: 600, per: 'account that replies, comments or likes', when_down: 'accept' },
  message_request: {
    quota: 60,
    window_s: 3600,
    per: 'account that writes first to strangers or leaves them videomail',
    when_down: 'accept',
  },
  group_invite: { quota: 200, window_s: 3600, per: 'account that invites strangers to groups', when_down: 'accept' },
  chat: { quota: 120, window_s: 60, per: 'account or guest that writes in groups and widgets', when_down: 'accept' },
  call_chat: { quota: 240, window_s: 60, per: 'account or guest that writes in calls', when_down: 'accept' },
  // Each change of a call is sent to everybody in it.
  call_update: { quota: 120, window_s: 60, per: 'account or guest that changes calls', when_down: 'accept' },
  shared_update: {
    quota: 120,
    window_s: 60,
    per: 'account that changes, joins or leaves groups, or changes lasting rooms, events with guests and its location sharing',
    when_down: 'accept',
  },
  // Each ends what a code was sent for, and is announced to all sessions.
  mobile_number: { quota: 30, window_s: 3600, per: 'account that sets its mobile number', when_down: 'accept' },
  guest_chat: { quota: 30, window_s: 60, per: 'guest that writes in a widget or a call', when_down: 'accept' },
  guest_chat_address: {
    quota: 90,
    window_s: 60,
    per: 'address whose guests write in widgets and calls',
    when_down: 'accept',
  },
  guest_change: {
    quota: 600,
    window_s: 60,
    per: 'address whose guests send anything but reads: reactions, raised hands, edits',
    when_down: 'accept',
  },
  // Clients report it every few seconds; each report is sent to a whole group.
  typing: { quota: 60, window_s: 60, per: 'account or guest that is typing', when_down: 'accept' },
  widget_guest: { quota: 30, window_s: 3600, per: 'address that becomes a guest of widgets', when_down: 'accept' },
  call_guest: { quota: 60, window_s: 3600, per: 'address that asks to join calls as a guest', when_down: 'accept' },
  // Each connection may have to read thousands of followed tags.
  stream: { quota: 120, window_s: 60, per: 'account or guest that connects to the stream', when_down: 'accept' },
  message_search: { quota: 120, window_s: 60, per: 'account that searches its messages', when_down: 'accept' },
  contact_search: { quota: 120, window_s: 60, per: 'account that searches its contacts', when_down: 'accept' },
  // Limits how many usernames an account can try.
  person_search: { quota: 60, window_s: 60, per: 'account that looks for people by username', when_down: 'accept' },
  // A search for several words takes the database milliseconds to plan, whatever it finds.
  tag_search: { quota: 240, window_s: 60, per: 'account that searches tags', when_down: 'accept' },
  tag_name: { quota: 120, window_s: 3600, per: 'account that creates or renames tags', when_down: 'accept' },
  report: { quota: 30, window_s: 3600, per: 'account that reports abuse', when_down: 'accept' },
  voice: { quota: 60, window_s: 3600, per: 'account that speaks commands', when_down: 'accept' },
  // Speech is recognised one piece at a time: limits how long others wait for theirs.
  transcript: {
    quota: 1800,
    window_s: 3600,
    per: 'account, for each second that it has transcribed',
    when_down: 'accept',
  },
  caption: { quota: 40, window_s: 60, per: 'account that captions its speech in a call', when_down: 'accept' },
  import: { quota: 60, window_s: 3600, per: 'account that imports contacts', when_down: 'accept' },
  // Each address of a contact is looked up among the accounts: limits how many numbers an account can probe in a day.
  contact_addresses: {
    quota: 50_000,
    window_s: 86_400,
    per: 'account that adds numbers, e-mails and tags to contacts',
    when_down: 'accept',
  },
  invite: { quota: 20, window_s: 86_400, per: 'account that invites', when_down: 'accept' },
  map: { quota: 1200, window_s: 60, per: 'address that loads the map', when_down: 'accept' },
  location_discover: {
    quota: 60,
    window_s: 3600,
    per: 'account that looks for others near a place',
    when_down: 'accept',
  },
  event_share: {
    quota: 200,
    window_s: 3600,
    per: 'account, for each person that an event is shared with',
    when_down: 'accept',
  },
  feed: { quota: 120, window_s: 3600, per: 'address that reads calendar feeds', when_down: 'accept' },
  // Above it, incoming texts are dropped silently.
  incoming_text: { quota: 30, window_s: 3600, per: 'phone that texts the service', when_down: 'accept' },
  call: { quota: 30, window_s: 3600, per: 'account', when_down: 'accept' },
  // Above it, a phone is not dialled and looks unanswered: its owner may have no account that could block the callers.
  number_ring: { quota: 30, window_s: 3600, per: 'dialled number, over all accounts', when_down: 'accept' },
  // Above it, phones that withhold their number cannot dial in; others have a limit of their own.
  dial_in_guess: { quota: 300, window_s: 3600, per: 'wrong PINs of all phones without a number', when_down: 'accept' },
  // These never refuse: above them a stranger's contact notifies nobody, as if the recipient's reach excluded it.
  stranger_ring_pair: {
    quota: 5,
    window_s: 3600,
    per: 'caller and callee who does not know them',
    when_down: 'accept',
  },
  stranger_ring: { quota: 20, window_s: 3600, per: 'callee, rung by strangers', when_down: 'accept' },
  stranger_mention_pair: {
    quota: 10,
    window_s: 3600,
    per: 'author and the stranger whom they mention',
    when_down: 'accept',
  },
  stranger_mention_sender: { quota: 60, window_s: 3600, per: 'author who mentions strangers', when_down: 'accept' },
  stranger_mention: { quota: 60, window_s: 3600, per: 'person mentioned by strangers', when_down: 'accept' },
  // Guests are anonymous: neither one nor many may wake a device without limit.
  push_guest: { quota: 12, window_s: 3600, per: 'device and guest who wakes it', when_down: 'accept' },
  push_guests: { quota: 60, window_s: 3600, per: 'device that guests of widgets wake', when_down: 'accept' },
  push_actor: { quota: 20, window_s: 3600, per: 'device and person whose acts wake it', when_down: 'accept' },
} as const satisfies Record<string, Budget>;

/** The name of a rate budget. */
export type ThrottleClass = keyof typeof throttle_table;

/** The remaining budget after a use. */
export type BudgetState = { name: ThrottleClass; quota: number; remaining: number; reset_s: number; window_s: number };

/** The rate budgets of a service, counted in this process or shared by its nodes. */
export type Throttle = {
  /**
   * Consumes one unit of a budget, or `amount`; synchronously where it is counted in this process.
   * @throws ApiError `rate_limited`, or `unavailable` when the store is down and the budget then refuses
   */
  consume(name: ThrottleClass, key: string, amount?: number): BudgetState | Promise<BudgetState>;
  /** The remaining budget, without consuming any. @throws when the store is down */
  peek(name: ThrottleClass, key: string): Promise<BudgetState>;
  /** Refunds a unit that an idempotent replay has consumed. */
  refund(name: ThrottleClass, key: string): Promise<void>;
  /** Like `consume`, but returns whether the budget sufficed; true when the store is down and the budget then accepts. */
  tryConsume(name: ThrottleClass, key: string, amount?: number): Promise<boolean>;
};

/** A count that a use increments, and the most that it may reach. */
type Counter = { counter: string; quota: number };
type Window = { window_s: number; reset_s: number; when_down: Budget['when_down'] };
type Multiples = Pick<Limits, 'budget_of_56' | 'budget_of_48'>;

/** The counts of a key; one that ends with an IPv6 address is counted for each of its networks, the smallest first. */
function countersOf(prefix: string, key: string, quota: number, multiples: Multiples): [Counter, ...Counter[]] {
  const start = key.lastIndexOf(' ') + 1;
  const [before, networks] = [key.slice(0, start), networksOf(key.slice(start))];
  const of = (network: string, multiple: number) => ({
    counter: `${prefix}:${before}${network}`,
    quota: quota * multiple,
  });
  const [largest, middle, smallest] = networks;
  if (!middle || !smallest) return [of(largest, 1)];
  return [of(smallest, 1), of(middle, multiples.budget_of_56), of(largest, multiples.budget_of_48)];
}

/** The budget that ends first. */
const leastOf = (states: BudgetState[]): BudgetState =>
  states.reduce((min, one) => (one.remaining < min.remaining ? one : min));

/**
 * Counts in fixed windows of the service's clock, through the bus, so that all nodes share a count. Fixed windows need
 * one increment each, and allow `RateLimit` to report an exact reset time.
 * @param multiples how many times the budget of a small network a larger one has
 */
export function createThrottle(
  bus: Bus,
  clock: Clock,
  factor: number,
  multiples: Multiples = default_limits,
): Throttle {
  const windowOf = (name: ThrottleClass, key: string): Window & { counters: [Counter, ...Counter[]] } => {
    const { quota, window_s, when_down }: Budget = throttle_table[name];
    const now_s = clock.now().getTime() / 1000;
    const window = Math.floor(now_s / window_s);
    return {
      window_s,
      when_down,
      reset_s: Math.max(1, Math.ceil((window + 1) * window_s - now_s)),
      counters: countersOf(`throttle:${name}:${window}`, key, Math.max(1, Math.floor(quota * factor)), multiples),
    };
  };
  const stateOf = (name: ThrottleClass, { quota }: Counter, { window_s, reset_s }: Window, used: number) => {
    return { name, quota, remaining: Math.max(0, quota - used), reset_s, window_s };
  };
  const throttle: Throttle = {
    consume(name, key, amount = 1) {
      const { counters, ...window } = windowOf(name, key);
      const countAt = (at: number): BudgetState | Promise<BudgetState> => {
        const one = counters[at] ?? counters[0];
        const settle = (used: number): BudgetState | Promise<BudgetState> => {
          const state = stateOf(name, one, window, used);
          const refused = { retry_after_s: state.reset_s, headers: rateHeaders(state) };
          if (used > one.quota) throw new ApiError('rate_limited', refused);
          // What a small network is refused does not count for the larger ones, whose other parts it would use up.
          if (at + 1 === counters.length) return state;
          const rest = countAt(at + 1);
          return rest instanceof Promise ? rest.then((of_rest) => leastOf([state, of_rest])) : leastOf([state, rest]);
        };
        const used = bus.increment(one.counter, window.window_s * 1000, amount);
        if (typeof used === 'number') return settle(used);
        return used.then(settle, (cause: unknown) => {
          if (window.when_down === 'refuse') throw new ApiError('unavailable', { cause, retry_after_s: 5 });
          return settle(0);
        });
      };
      return countAt(0);
    },
    async peek(name, key) {
      const { counters, ...window } = windowOf(name, key);
      const used = await Promise.all(counters.map(({ counter }) => bus.increment(counter, window.window_s * 1000, 0)));
      return leastOf(counters.map((one, at) => stateOf(name, one, window, used[at] ?? 0)));
    },
    async refund(name, key) {
      const { counters, window_s } = windowOf(name, key);
      for (const { counter } of counters) await bus.increment(counter, window_s * 1000, -1);
    },
    async tryConsume(name, key, amount) {
      try {
        await throttle.consume(name, key, amount);
        return true;
      } catch (error) {
        if (error instanceof ApiError) return false;
        throw error;
      }
    },
  };
  return throttle;
}

/** The headers `RateLimit-Policy` and `RateLimit` (IETF draft-ietf-httpapi-ratelimit-headers) for one budget. */
export function rateHeaders({ name, quota, remaining, reset_s, window_s }: BudgetState): Record<string, string> {
  return {
    'ratelimit-policy': `"${name}";q=${quota};w=${window_s}`,
    ratelimit: `"${name}";r=${remaining};t=${reset_s}`,
  };
}
