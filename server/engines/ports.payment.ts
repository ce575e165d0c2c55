/** The port of payment, as types only. */

/** A subscription as reported by its provider at one time. */
export type SubscriptionFacts = {
  subscription_id: string;
  user_id: string;
  /** `past_due` while the provider still tries to collect; `ended` for good. */
  state: 'active' | 'past_due' | 'ended';
  /** The end of the paid period. */
  current_period_end: Date;
  /** Whether it ends then instead of being renewed. */
  cancel_at_period_end: boolean;
  /** When this was requested: of two answers the one requested later applies, even if it arrives first. */
  as_of: Date;
};

/** A provider's webhook event. */
export type PaymentEvent = {
  /** A checkout has ended. */
  checkout?: { session_id: string; state: 'paid' | 'cancelled' };
  /** The current state of a subscription. */
  subscription?: SubscriptionFacts;
};

/** A checkout page. */
export type Checkout = { session_id: string; checkout_url: string; expires_at: Date };

/** What a simulated buyer does: pays, leaves the page, or has a card that is declined from now on, until they pay again. */
export type SimulatedOutcome = 'paid' | 'cancelled' | 'declined';

/** Simulates the buyer: produces the signed events of a provider. */
export type PaymentSimulator = {
  settle(session: { session_id: string; user_id: string }, state: SimulatedOutcome): PaymentRequest;
};

/** A webhook request of the provider: its body, byte for byte as signed, and its signature header. */
export type PaymentRequest = { raw_body: string; signature: string };

/** The payment provider. */
export type Payment = {
  /** Whether anything is for sale. */
  sells: boolean;
  /** Opens a checkout page for one person, who returns to `return_url`. @throws when the provider cannot be reached */
  openCheckout(buyer: { user_id: string; email: string | null; return_url: string }): Promise<Checkout>;
  /**
   * Handles a signed webhook. Undefined when the signature is not valid, empty for irrelevant events.
   * @throws when the current state could not be read: the provider then retries
   */
  receive(request: PaymentRequest): Promise<PaymentEvent | undefined>;
  /** The current state of a subscription. @throws when the provider cannot be reached */
  read(known: SubscriptionFacts): Promise<SubscriptionFacts>;
  /**
   * Opens the provider's page on which a subscriber changes their payment method and finds their invoices, and from which
   * they return to `return_url`. @throws when the provider cannot be reached
   */
  openPortal(subscription: { subscription_id: string; return_url: string }): Promise<{ portal_url: string }>;
  /** Ends a checkout page, so that nobody can pay on it any more. One that is paid or has ended is not an error. */
  expireCheckout(session_id: string): Promise<void>;
  /** Cancels a subscription, at once or at the end of the paid period. Cancelling an ended one is not an error. */
  cancel(known: SubscriptionFacts, when: 'now' | 'period_end'): Promise<SubscriptionFacts>;
  /** Takes back a cancellation at the end of the paid period. An ended one stays ended, which is not an error. */
  resume(known: SubscriptionFacts): Promise<SubscriptionFacts>;
  simulator?: PaymentSimulator;
  close(): Promise<void>;
};
