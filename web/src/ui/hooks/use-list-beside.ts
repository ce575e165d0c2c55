import { useLocation } from '@tanstack/react-router';
import { createContext, useContext, useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address of the list that the page was opened from and is shown beside, from 900 px. */
    list?: string | undefined;
  }
}

/** The address of the list that is open in this part of the page; undefined where there is none. */
export const ListBeside = createContext<string | undefined>(undefined);

/**
 * The `state` of links to people and tags: what is opened from a list is shown beside this list, also after a reload
 * and when the reader returns to it.
 */
export function useListBeside(): { list: string | undefined } {
  return { list: useContext(ListBeside) };
}

/** The list that the shown page was opened from. The address changes before the page does. @param path of the shown page */
export function useOpenedFrom(path: string): string | undefined {
  const { pathname, state } = useLocation();
  const opened_from = useRef<string>(undefined);
  if (pathname === path) opened_from.current = state.list;
  return opened_from.current;
}
