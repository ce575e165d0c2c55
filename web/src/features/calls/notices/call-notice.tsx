import { Link as RouteLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import './call-notice.css';

interface CallNoticeProps {
  title: string;
  text?: string | undefined;
  /** What the reader can do besides going home. */
  children?: ReactNode;
}

/** The page of a call that the reader is not in: why, and what they can do. */
export function CallNotice({ title, text, children }: CallNoticeProps) {
  return (
    <main id="main" className="centre">
      <EmptyState level={1} title={title} text={text}>
        <div className="cluster call-ways">
          {children}
          <RouteLink to="/" className={children === undefined ? 'button primary' : 'button quiet'}>
            {i18n.t('Go home')}
          </RouteLink>
        </div>
      </EmptyState>
    </main>
  );
}
