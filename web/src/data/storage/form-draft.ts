import { useCallback, useState } from 'react';
import { useMe } from '../queries/me-query.ts';
import { readStored, writeStored } from './stored-texts.ts';

/** What was entered in a form and is neither saved nor discarded. */
export interface FormDraft<Fields> {
  /** What was entered when the page was last left in the middle: by a reload, an accepted call or the end of the session. */
  readonly restored: Fields | undefined;
  /** Stores what is entered; undefined once it is saved or discarded. */
  readonly keep: (fields: Fields | undefined) => void;
  /** Deletes what was restored; `number` changes with it, as a key of the fields. */
  readonly discard: () => void;
  readonly number: number;
}

/** @param form the form, and what it edits */
export function useFormDraft<Fields>(form: string): FormDraft<Fields> {
  const user_id = useMe()?.id ?? '';
  const name = `form ${form}`;
  const [restored, setRestored] = useState(() => readStored(user_id, name) as Fields | undefined);
  const [number, setNumber] = useState(0);
  const keep = useCallback(
    (fields: Fields | undefined) => {
      writeStored(user_id, name, fields);
      if (fields === undefined) setRestored(undefined);
    },
    [user_id, name],
  );
  const discard = () => {
    keep(undefined);
    setNumber(number + 1);
  };
  return { restored, keep, discard, number };
}
