/** Something of the reader's that a call can carry. */
export type Source = 'microphone' | 'camera' | 'screen';

/** Which of the reader's devices are to be on, whatever becomes of the connection. */
export interface WantedSources {
  /** Takes what the reader has switched. */
  note: (source: Source, on: boolean) => void;
  /**
   * What is to be started in a media room: once in each, since after a cut the room itself brings back what was on. A
   * screen is not shown again without being asked for.
   */
  startIn: (room: object) => Source[];
  /** What is on, without the screen: what one comes back with. */
  list: () => Source[];
}

/** @param first what is on when one comes in; whoever mutes themselves then stays so, also in another room after this one */
export function createWantedSources(first: readonly Source[]): WantedSources {
  const on = new Set(first);
  let begun: object | undefined;
  const list = () => [...on].filter((source) => source !== 'screen');
  return {
    list,
    note(source, is_on) {
      if (is_on) on.add(source);
      else on.delete(source);
    },
    startIn(room) {
      if (room === begun) return [];
      begun = room;
      return list();
    },
  };
}
