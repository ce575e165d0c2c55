import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWide } from '../hooks/use-wide.ts';
import { PaneContent, Panes, PaneTitle } from './panes.tsx';
import { SectionNav } from './section-nav.tsx';
import './section-panes.css';
import { i18n } from '../../i18n/i18n.ts';

interface SectionPanesProps {
  title: string;
  /** The arrow before the title of a section that has no tab. */
  back?: ReactNode;
  /** Round buttons beside the title. */
  actions?: ReactNode;
  /** Above the navigation: actions that all lists of the section share. */
  lead?: ReactNode;
  /** The navigation between the lists, if there are several: links of class `chip`. */
  nav?: ReactNode;
  /** The address of the shown list, and its content. */
  current: string;
  list: ReactNode;
  /** Whether nothing of the list is open. */
  is_alone: boolean;
  /** What a wide window shows beside the list while nothing of it is open. */
  beside?: ReactNode;
}

/** A section with one or several lists, and what is open of the shown one. */
export function SectionPanes({ title, back, actions, lead, nav, current, list, is_alone, beside }: SectionPanesProps) {
  const wide = useWide();
  // A phone shows one of the two, and need not load the other.
  const has_list = is_alone || wide;
  return (
    <Panes
      is_alone={is_alone}
      kind="keep-tabs"
      labels={{ list: title, detail: i18n.t('Details') }}
      list={
        has_list ? (
          <>
            <header className="bar">
              {back}
              <PaneTitle title={title} is_page={is_alone} />
              {actions}
            </header>
            {lead === undefined ? null : <div className="section-lead">{lead}</div>}
            {nav === undefined ? null : <SectionNav label={title}>{nav}</SectionNav>}
            <div key={current} className="scroll section-list stack">
              {list}
            </div>
          </>
        ) : null
      }
    >
      {is_alone ? (
        wide && beside
      ) : (
        <PaneContent>
          <Outlet />
        </PaneContent>
      )}
    </Panes>
  );
}
