/**
 * Where readers of chats were when they left them for another page: at the end of a chat it opens at its end again.
 * Places belong to entries of the browser's history, so that only going back leads to them, and last as long as the page.
 */
import { useRouter } from '@tanstack/react-router';
import type { RegisteredRouter } from '@tanstack/react-router';
import { useState } from 'react';

type History = RegisteredRouter['history'];

/** A place in a list of messages. */
export interface RememberedPlace {
  /** The list, of several that one entry may show. */
  readonly label: string;
  /** The first row in sight, and how much of it is above. */
  readonly key: string;
  readonly into_px: number;
  /** The heights of the rows, so that the list need not estimate them again. */
  readonly heights: ReadonlyMap<unknown, number>;
}

/** More chats than people go back through. */
const MAX_PLACES = 20;

const places = new Map<string, RememberedPlace>();

function keyOf({ location }: History): string {
  const { __TSR_key: key = '' } = location.state;
  return key;
}

/** The entry of the history that the page was opened with. */
export function useHistoryKey(): string {
  const { history } = useRouter();
  const [key] = useState(() => keyOf(history));
  return key;
}

/** Whether a list is removed because its page was left, and not in the page, as the chat beside a call. */
export function useHasLeft(entry: string): () => boolean {
  const { history } = useRouter();
  return () => keyOf(history) !== entry;
}

/** Whether the reader left a list in this entry, and can come back to it. */
export const isRemembered = (entry: string): boolean => places.has(entry);

/** The place in a list in which an entry was left. */
export const recallPlace = (entry: string, label: string): RememberedPlace | undefined => {
  const place = places.get(entry);
  return place?.label === label ? place : undefined;
};

/** Remembers a place, or with undefined that the list was left at its end. */
export function rememberPlace(entry: string, place: RememberedPlace | undefined): void {
  places.delete(entry);
  if (place === undefined || entry === '') return;
  places.set(entry, place);
  const [oldest] = places.keys();
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
}
