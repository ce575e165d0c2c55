import type { Understanding } from './command-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

interface PreviewProps {
  understood: Understanding | undefined;
  problem: string | undefined;
  /** Whether Enter runs it. */
  is_chosen: boolean;
  is_running: boolean;
  onRun: () => void;
}

/** The effect of a command before it is run; announced when it changes. */
export function Preview({ understood, problem, is_chosen, is_running, onRun }: PreviewProps) {
  const can_run = understood?.kind === 'command' && understood.reply.requires_confirmation !== true;
  const words =
    problem ??
    (understood?.kind === 'refused'
      ? understood.message
      : understood?.kind === 'command' && !can_run
        ? understood.reply.preview
        : undefined);
  return (
    <div aria-live="polite">
      {can_run ? (
        <div className="cmd-preview" data-chosen={is_chosen ? '' : undefined}>
          <p dir="auto">{understood.reply.preview}</p>
          <button type="button" className="button primary small" disabled={is_running} onClick={onRun}>
            {i18n.t('Run')}
          </button>
        </div>
      ) : null}
      {words === undefined ? null : (
        <p className="cmd-words" dir="auto">
          {words}
        </p>
      )}
    </div>
  );
}
