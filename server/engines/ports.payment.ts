/** The port of payment: who sells the paid plan, as types only. */

/** A subscription as its provider has it at one moment. */
export type SubscriptionFacts = {
  subscription_id: string;
  user_id: string;
  /** `past_due` while the provider still tries to collect; `ended` for good. */
  state: 'active' | 'past_due' | 'ended';
  /** Until when it is paid. */
  current_period_end: Date;
  /** Whether it ends then instead of being renewed. */
  cancel_at_period_end: boolean;
  /** When this was asked: of two answers the later one counts, in whichever order they arrive. */
  as_of: Date;
};

/** What a provider tells of its own accord. */
export type PaymentEvent = {
  /** A checkout that is over. */
  checkout?: { session_id: string; state: 'paid' | 'cancelled' };
  /** A subscription as it is now. */
  subscription?: SubscriptionFacts;
};

/** Where somebody pays. */
export type Checkout = { session_id: string; checkout_url: string; expires_at: Date };

/** Plays the buyer: what a provider would tell, signed as one would. */
export type PaymentSimulator = {
  settle(session: { session_id: string; user_id: string }, state: 'paid' | 'cancelled'): PaymentRequest;
};

export type PaymentRequest = { raw_body: string; signature: string };

export type Payment = {
  /** Whether there is anything to buy. */
  sells: boolean;
  /** Opens a page on which one person pays; they come back to `return_url`. @throws when the provider cannot be reached */
  openCheckout(buyer: { user_id: string; email: string | null; return_url: string }): Promise<Checkout>;
  /**
   * Takes a signed webhook. Undefined when the signature is not valid, empty for what does not concern us.
   * @throws when the truth could not be read: the provider then tells it again
   */
  receive(request: PaymentRequest): Promise<PaymentEvent | undefined>;
  /** A subscription as the provider has it now. @throws when it cannot be reached */
  read(known: SubscriptionFacts): Promise<SubscriptionFacts>;
  /** Ends a subscription, at once or at the end of what is paid. Ending one that has ended is no error. */
  cancel(known: SubscriptionFacts, when: 'now' | 'period_end'): Promise<SubscriptionFacts>;
  simulator?: PaymentSimulator;
  close(): Promise<void>;
};
