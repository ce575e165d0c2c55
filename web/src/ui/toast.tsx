import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';

interface Toast {
  id: number;
  text: string;
}

const SHOWN_FOR_MS = 7_000;
let toasts: readonly Toast[] = [];
let next_id = 1;
const listeners = new Set<() => void>();

function change(list: readonly Toast[]): void {
  toasts = list;
  for (const listener of listeners) listener();
}

function remove(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Says one sentence at the edge of the page; a sentence that is being shown is not repeated. */
export function showToast(text: string): void {
  if (toasts.some((toast) => toast.text === text)) return;
  const id = next_id++;
  change([...toasts.slice(-2), { id, text }]);
  setTimeout(() => remove(id), SHOWN_FOR_MS);
}

/** Where the sentences appear; read out politely by screen readers. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className="toast">
          <span>{toast.text}</span>
          <button type="button" onClick={() => remove(toast.id)}>
            <X aria-hidden="true" size={18} />
            <span className="visually-hidden">Dismiss</span>
          </button>
        </div>
      ))}
    </div>
  );
}
