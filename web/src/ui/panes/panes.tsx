import type { KeyboardEvent, ReactNode } from 'react';
import { EmptyState } from '../empty-state.tsx';
import { useShownPath } from '../hooks/use-shown-path.ts';
import { InPane, PageHeading } from '../page.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** The links that open the rows of a list, however it shows them. */
const ROWS = 'a.row, .list > li > .list-main > p:first-child > a, .list > li > .list-main > a';

/** Arrow keys move the focus along the rows of a list, and from its search field to the first. Enter opens a row. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const has_modifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  if (step === undefined || has_modifier || event.defaultPrevented || !(event.target instanceof Element)) return;
  const { target, currentTarget: list } = event;
  const is_search = step === 1 && target.closest('[role="search"]') !== null;
  // Events of a menu or dialog that was opened from the list arrive here as well; other fields use the keys themselves.
  if (!list.contains(target) || (!is_search && target.matches('input, textarea, select'))) return;
  const rows = [...list.querySelectorAll<HTMLElement>(ROWS)];
  const from = rows.findIndex((row) => row === target || row.closest('li')?.contains(target) === true);
  const next = from === -1 && !is_search ? undefined : rows[from + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

interface PanesProps {
  /** Whether nothing of the list is open: on a phone the list is then the page. */
  is_alone: boolean;
  /** `chats`: as high as the window also on a phone. `keep-tabs`: a phone shows the tabs below what is open. */
  kind: 'chats' | 'keep-tabs';
  /** The accessible names of the two panes. */
  labels: { list: string; detail: string };
  list: ReactNode;
  /** What is open, or what takes its place while nothing is. */
  children: ReactNode;
}

/** A list and what is open of it, side by side; on a phone one of the two. The list stays as it is when another row is opened. */
export function Panes({ is_alone, kind, labels, list, children }: PanesProps) {
  const classes = ['panes', kind, ...(is_alone ? [] : ['show-detail'])];
  return (
    <main id="main" tabIndex={-1} className={classes.join(' ')}>
      <section className="pane list" aria-label={labels.list} onKeyDown={walkRows}>
        {list}
      </section>
      <section className="pane detail" aria-label={labels.detail}>
        <InPane.Provider value>{children}</InPane.Provider>
      </section>
    </main>
  );
}

/** The title of a list. It is that of the page while nothing of the list is open. */
export function PaneTitle({ title, is_page }: { title: string; is_page: boolean }) {
  return <div className="pane-title">{is_page ? <PageHeading key={title} title={title} /> : <h2>{title}</h2>}</div>;
}

/** The scrolled content of the second pane; each page begins at its top. */
export function PaneContent({ children }: { children: ReactNode }) {
  const path = useShownPath();
  return (
    <div key={path} className="scroll">
      {children}
    </div>
  );
}

/** The placeholder beside a list while nothing of it is open. */
export function NothingOpen({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="nothing-open">
      <EmptyState title={title} text={text}>
        {children}
      </EmptyState>
    </div>
  );
}
