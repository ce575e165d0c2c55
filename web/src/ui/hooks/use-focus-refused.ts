import { useEffect, useRef } from 'react';
import type { FormEvent } from 'react';

interface Sent {
  /** The button that was pressed; null if the form was sent otherwise. */
  readonly button: HTMLElement | null;
  is_pending: boolean;
}

/**
 * Where the focus of a form goes that was refused: to the first field with an error; without one, back to the button
 * that sent it, since a browser takes the focus from a button that is disabled meanwhile.
 */
export function useFocusRefused() {
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<Sent>(undefined);
  // After every change of the form: errors are children of it.
  useEffect(() => {
    if (form.current === null || sent.current === undefined) return;
    const { button, is_pending } = sent.current;
    const refused = form.current.querySelector<HTMLElement>('[aria-invalid="true"]');
    const focused = document.activeElement ?? document.body;
    if (refused !== null) {
      sent.current = undefined;
      if (focused === document.body || form.current.contains(focused)) refused.focus();
    } else if (button?.matches(':disabled')) {
      sent.current.is_pending = true;
    } else if (is_pending) {
      sent.current = undefined;
      if (focused === document.body) button?.focus();
    }
  });
  const noteSubmit = ({ nativeEvent }: FormEvent<HTMLFormElement>) => {
    sent.current = { button: (nativeEvent as SubmitEvent).submitter, is_pending: false };
  };
  /** Whoever writes on is not interrupted by an error. */
  const noteInput = () => {
    sent.current = undefined;
  };
  return { form, noteSubmit, noteInput };
}
