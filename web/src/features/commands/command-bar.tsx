import { lazy, Suspense, useEffect, useState } from 'react';
import { openCommands, useCommandsOpen } from './open-commands.ts';

const CommandSheet = lazy(() => import('./command-sheet.tsx').then((module) => ({ default: module.CommandSheet })));

/** The command bar, available on every page: opened with Ctrl+K, on a Mac Cmd+K, or with its button. */
export function CommandBar() {
  const open = useCommandsOpen();
  const [was_open, setWasOpen] = useState(false);
  useEffect(() => {
    if (open) setWasOpen(true);
  }, [open]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      openCommands(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (!open && !was_open) return null;
  return (
    <Suspense>
      <CommandSheet open={open} onClose={() => openCommands(false)} />
    </Suspense>
  );
}
