/** Unsent messages are grouped as they will be once they are sent, so that nothing moves then. */

/** Messages of one author within this time are grouped. */
export const TOGETHER_WITHIN_MS = 5 * 60_000;

/** The local day of a time. */
export const dayOf = (at: string): Date => {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day;
};

/** What the grouping needs of the newest message of a chat. */
interface Newest {
  readonly mine: boolean;
  readonly created_at: string;
  readonly call?: unknown;
}

/** What it needs of an unsent message. */
interface Pending {
  readonly written_at: string;
  readonly state: 'sending' | 'waiting' | 'refused';
}

/** The position of an unsent message in its group. */
export interface RunPosition {
  readonly is_first: boolean;
  readonly is_last: boolean;
  /** Whether it says below that the messages up to it wait for a connection. */
  readonly tells_waiting: boolean;
}

/** Whether the first unsent message belongs to the group of the newest message. */
export function continuesRun(newest: Newest | undefined, first: Pending | undefined): boolean {
  if (newest === undefined || first === undefined || first.state === 'refused') return false;
  const ago_ms = Date.parse(first.written_at) - Date.parse(newest.created_at);
  const is_same_day = dayOf(newest.created_at).getTime() === dayOf(first.written_at).getTime();
  return newest.mine && newest.call === undefined && is_same_day && ago_ms <= TOGETHER_WITHIN_MS;
}

/** Whether two unsent messages are not shown as one group: what was refused is a group of its own. */
const areApart = (one: Pending | undefined, next: Pending | undefined): boolean =>
  one === undefined || next === undefined || one.state === 'refused' || next.state === 'refused';

/** Places an unsent message. @param is_run whether the first one continues the group of the newest message */
export function placeUnsent(unsent: readonly Pending[], at: number, is_run: boolean): RunPosition {
  const [before, one, next] = [unsent[at - 1], unsent[at], unsent[at + 1]];
  return {
    is_first: at === 0 ? !is_run : areApart(before, one),
    is_last: areApart(one, next),
    tells_waiting: one?.state === 'waiting' && next?.state !== 'waiting',
  };
}
