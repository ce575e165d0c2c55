import { Suspense, useState } from 'react';
import { OpenStatusMenu } from './lazy-parts.ts';
import { StatusMenuIcon } from './status-menu-icon.tsx';
import type { StatusMenuProps } from './status-menu-icon.tsx';

/** The actions on a status, for its author or for others. Its content is loaded when it is first opened. */
export function StatusMenu(props: StatusMenuProps) {
  const { status, trigger } = props;
  const [was_opened, setWasOpened] = useState(false);
  const button = (
    <button
      ref={trigger}
      type="button"
      className="icon-button"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWasOpened(true)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setWasOpened(true);
      }}
    >
      <StatusMenuIcon status={status} />
    </button>
  );
  if (!was_opened) return button;
  return (
    <Suspense fallback={button}>
      <OpenStatusMenu {...props} />
    </Suspense>
  );
}
