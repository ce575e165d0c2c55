import { Failure } from '../empty-state.tsx';
import { describeProblem } from './problem.ts';

interface ListFailureProps {
  list: { readonly isError: boolean; readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
}

/** Why a list could not be loaded, with a button to try again. What was loaded before stays as it is. */
export function ListFailure({ list }: ListFailureProps) {
  if (!list.isError || list.data !== undefined) return null;
  return <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />;
}
