import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { avoidCovering } from './toast-place.ts';
import { i18n } from '../../i18n/i18n.ts';

interface ToastOptions {
  /** Undoes the action; shown as a button of the toast. */
  undo?: () => void;
}

interface Toast extends ToastOptions {
  id: number;
  text: string;
  is_leaving?: boolean;
}

const SHOWN_FOR_MS = 6_000;
let present: Toast | undefined;
let next_id = 1;
const listeners = new Set<() => void>();

function change(toast: Toast | undefined): void {
  present = toast;
  for (const listener of listeners) listener();
}

/** Shows one sentence at the edge of the page for six seconds, replacing the previous one. */
export function showToast(text: string, options: ToastOptions = {}): void {
  change({ id: next_id++, text, ...options });
}

/** Lets the toast fade; it is removed when it has. */
function dismiss(): void {
  if (present !== undefined && present.is_leaving !== true) change({ ...present, is_leaving: true });
}

function Shown({ toast }: { toast: Toast }) {
  // Paused while the pointer or focus is on it.
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(dismiss, SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [held]);
  const { undo, is_leaving = false } = toast;
  const shown = useRef<HTMLDivElement>(null);
  // Before it is painted, so that it does not jump.
  useLayoutEffect(() => {
    const box = shown.current?.parentElement;
    return box ? avoidCovering(box) : undefined;
  }, []);
  return (
    <div
      ref={shown}
      className="toast"
      data-leaving={is_leaving || undefined}
      inert={is_leaving}
      onAnimationEnd={() => (is_leaving ? change(undefined) : undefined)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span dir="auto">{toast.text}</span>
      {undo === undefined ? null : (
        <button
          type="button"
          className="undo"
          onClick={() => {
            dismiss();
            undo();
          }}
        >
          {i18n.t('Undo')}
        </button>
      )}
      <button type="button" onClick={dismiss}>
        <X aria-hidden="true" size={18} />
        <span className="visually-hidden">{i18n.t('Dismiss')}</span>
      </button>
    </div>
  );
}

/** The container of toasts; announced politely by screen readers. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => present,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown === undefined ? null : <Shown key={shown.id} toast={shown} />}
    </div>
  );
}
