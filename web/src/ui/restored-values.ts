import { createContext, useContext } from 'react';

const Values = createContext<Readonly<Partial<Record<string, string>>> | undefined>(undefined);

/** Provides the fields of a form with what was entered in them before, by their names. */
export const RestoredValues = Values.Provider;

/** What was entered in a field before; undefined for nothing. */
export const useRestoredValue = (name: string | undefined): string | undefined => {
  const values = useContext(Values);
  return name === undefined ? undefined : values?.[name];
};

/** The fields whose values are not as before, compared as JSON. */
export function changedFields<Fields extends object>(before: Fields, now: Fields): Partial<Fields> {
  const known = before as Readonly<Record<string, unknown>>;
  const entries = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]));
  return Object.fromEntries(entries) as Partial<Fields>;
}
