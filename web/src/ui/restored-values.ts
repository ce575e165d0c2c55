import { createContext, useContext } from 'react';

const Values = createContext<Readonly<Record<string, string>> | undefined>(undefined);

/** Provides the fields of a form with what was entered in them before, by their names. */
export const RestoredValues = Values.Provider;

/** What was entered in a field before; undefined for nothing. */
export const useRestoredValue = (name: string | undefined): string | undefined => {
  const values = useContext(Values);
  return name === undefined ? undefined : values?.[name];
};
