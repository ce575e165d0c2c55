import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Brand } from '../../../ui/brand/brand.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeading } from '../../../ui/page.tsx';
import { i18n } from '../../../i18n/i18n.ts';

/** The frame of the pages for guests, with a title. */
export function GuestFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      <PageHeading title={title} />
      {children}
    </main>
  );
}

/** A link for a guest who has an account. */
export function SignInInstead({ join_code }: { join_code: string }) {
  return (
    <p className="small soft">
      {i18n.t('Already have an account?')}{' '}
      <Link to="/sign-in" search={{ next: `/j/${join_code}` }}>
        {i18n.t('Sign in')}
      </Link>
    </p>
  );
}

/** A page with a reason why a guest cannot join. */
export function CannotJoin({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      <EmptyState level={1} title={title} text={text}>
        {children}
      </EmptyState>
    </main>
  );
}

interface NotInCallProps {
  title: string;
  text: string;
  join_code: string;
  /** Asks once more; undefined where that is pointless. */
  onAgain?: () => void;
}

/** Why a guest is not in the call, with ways to go on. */
export function NotInCall({ title, text, join_code, onAgain }: NotInCallProps) {
  return (
    <CannotJoin title={title} text={text}>
      <div className="cluster">
        {onAgain === undefined ? null : (
          <button type="button" className="button primary" onClick={onAgain}>
            {i18n.t('Try again')}
          </button>
        )}
        <Link to="/register" className={onAgain === undefined ? 'button primary' : 'button quiet'}>
          {i18n.t('Create account')}
        </Link>
      </div>
      <SignInInstead join_code={join_code} />
    </CannotJoin>
  );
}
