import type { RefObject } from 'react';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { listScopes } from '../event-text.ts';
import type { Scope } from '../recurrence/series.ts';
import { i18n } from '../../../i18n/i18n.ts';

interface ScopeQuestionProps {
  /** The possible answers. */
  scopes: readonly Scope[];
  returnTo: RefObject<HTMLElement | null>;
  onAnswer: (scope: Scope) => void;
  onClose: () => void;
}

/** Asks which occurrences of a series a move applies to. */
export function ScopeQuestion({ scopes, returnTo, onAnswer, onClose }: ScopeQuestionProps) {
  return (
    <Dialog open title={i18n.t('Move a repeating event')} onClose={onClose} returnTo={returnTo}>
      {scopes.length > 1 ? null : (
        <p className="soft">{i18n.t('It can’t repeat on that day, so only this time is moved.')}</p>
      )}
      <div className="cal-scopes">
        {listScopes()
          .filter(([scope]) => scopes.includes(scope))
          .map(([scope, words]) => (
            <button key={scope} type="button" className="button quiet full-width" onClick={() => onAnswer(scope)}>
              {words}
            </button>
          ))}
        <button type="button" className="button plain full-width" onClick={onClose}>
          {i18n.t('Cancel')}
        </button>
      </div>
    </Dialog>
  );
}
