/** Lifecycles: what an area does with its own rows when an account goes, when one person blocks another, and as time passes. */
import type { Change, Services } from './services.ts';

export type Lifecycle = {
  /** Ends what others see or what would still run, in the transaction that deletes the account. Few statements. */
  accountDeleted?(change: Change, user_id: string, services: Services): Promise<void>;
  /**
   * Removes rows of a deleted account, at most `portion` of each kind.
   * @returns whether there may be more: then it is called again, in another transaction
   */
  purgeAccount?(change: Change, user_id: string, portion: number, services: Services): Promise<boolean>;
  /** Ends what two people share, in the transaction in which one of them blocks the other. */
  blocked?(change: Change, blocker_id: string, blocked_id: string, services: Services): Promise<void>;
  /**
   * Removes what has expired, at most `portion` rows of each kind; called about once an hour, on one node.
   * @returns whether there may be more: then it is called again, in another transaction
   */
  expire?(change: Change, portion: number): Promise<boolean>;
};
