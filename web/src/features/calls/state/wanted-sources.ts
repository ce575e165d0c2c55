/** A media source of the reader. */
export type Source = 'microphone' | 'camera' | 'screen';

/** The sources that the reader wants to be on, across connections. */
export interface WantedSources {
  /** Records a switch by the reader. */
  note: (source: Source, on: boolean) => void;
  /**
   * The sources to start in a media room: once in each, since the room itself restores them after a reconnection. A
   * screen is never shared again automatically.
   * @param continued what is on at another client of the reader, which the first room continues
   */
  startIn: (room: object, continued?: readonly Source[]) => Source[];
  /** The wanted sources without the screen, for rejoining. */
  list: () => Source[];
}

/** @param first the sources that are on when joining; muting persists across rooms */
export function createWantedSources(first: readonly Source[]): WantedSources {
  const on = new Set(first);
  let begun: object | undefined;
  let is_switched = false;
  const list = () => [...on].filter((source) => source !== 'screen');
  return {
    list,
    note(source, is_on) {
      is_switched = true;
      if (is_on) on.add(source);
      else on.delete(source);
    },
    startIn(room, continued) {
      if (room === begun) return [];
      // What the reader has switched here since is newer.
      if (begun === undefined && continued !== undefined && !is_switched) {
        on.clear();
        for (const source of continued) on.add(source);
      }
      begun = room;
      return list();
    },
  };
}
