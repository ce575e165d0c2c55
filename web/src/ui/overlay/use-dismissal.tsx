import { useCallback, useRef, useState, type ReactNode, type RefCallback, type RefObject } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { useCloseRequest } from '../hooks/use-close-request.ts';
import { ConfirmDialog } from './confirm.tsx';
import { notifyForms } from './dismiss/dismissed.ts';
import { useDismissibleLayer } from './dismiss/use-dismissible-layer.ts';
import { watchUnsavedText } from './dismiss/watch-unsaved-text.ts';

interface Dismissal {
  /** The element of the layer, and its ref. */
  layer: RefObject<HTMLDivElement | null>;
  ref: RefCallback<HTMLDivElement>;
  /** Of the layer: its button, Escape, or a press beside it. */
  onOpenChange: (is_open: boolean) => void;
  /** Of the layer: what is pressed beside it. */
  onInteractOutside: (event: Event) => void;
  /** The question, while it is asked. */
  question: ReactNode;
}

/** A press in a menu, or a picker, over a dialog does not count as outside, although it is elsewhere in the document. */
const isInMenu = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('[role="menu"], [role="listbox"], .menu') !== null;

/**
 * How a sheet or dialog is dismissed: by its button, Escape, the back button of a phone, a drag or a press outside. Each
 * asks first if a form has text that would be lost.
 * @param keeps_text whether what was written is kept for the next time
 */
export function useDismissal(is_open: boolean, onClose: () => void, keeps_text = false): Dismissal {
  const [asks, setAsks] = useState(false);
  const layer = useRef<HTMLDivElement | null>(null);
  const focused = useRef<HTMLElement | null>(null);
  const text = useRef<ReturnType<typeof watchUnsavedText> | undefined>(undefined);
  const mustAsk = () => !keeps_text && text.current?.isWritten() === true;
  const ask = () => {
    focused.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setAsks(true);
  };
  const leave = () => {
    notifyForms(layer.current);
    onClose();
  };
  const dismiss = () => (mustAsk() ? ask() : leave());
  // The system's request closes the question while that is asked, and asks again afterwards.
  useCloseRequest(is_open && !asks, dismiss);
  const track = useDismissibleLayer(dismiss);
  const ref = useCallback(
    (shown: HTMLDivElement | null) => {
      layer.current = shown;
      if (shown === null) return undefined;
      const watched = watchUnsavedText(shown);
      text.current = watched;
      const end = track(shown);
      return () => {
        watched.end();
        end?.();
      };
    },
    [track],
  );
  const onOpenChange = (next: boolean) => (next ? undefined : dismiss());
  const onInteractOutside = (event: Event) => {
    if (isInMenu(event)) event.preventDefault();
  };
  const question = (
    <ConfirmDialog
      open={asks}
      onClose={() => setAsks(false)}
      returnTo={focused}
      title={i18n.t('Discard changes?')}
      text={i18n.t('What you have written isn’t saved.')}
      action={i18n.t('Discard')}
      onConfirm={leave}
    />
  );
  return { layer, ref, onOpenChange, onInteractOutside, question };
}
