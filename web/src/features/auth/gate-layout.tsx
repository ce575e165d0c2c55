import type { ReactNode } from 'react';
import { Brand } from '../../ui/brand/brand.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { Net } from '../../ui/brand/tag-sky.tsx';
import { ThemeSwitch } from '../../ui/brand/theme.tsx';
import './auth.css';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

/** The frame of every page for signed-out people. */
export function GateLayout({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <div className="gate">
      <a className="skip-link" href="#main">
        {i18n.t('Skip to the form')}
      </a>
      <ThemeSwitch className="gate-theme" />
      <header className="gate-sky night">
        <Net name="asterism" />
        <Brand />
        <h2>
          <RichMessage
            text={i18n.t('One name that <em>reaches you</em>.')}
            parts={{ em: (words) => <em>{words}</em> }}
          />
        </h2>
        <p>{i18n.t('Create a tag, share it, and people can talk with you without ever knowing your number.')}</p>
      </header>
      <main id="main" tabIndex={-1} className="gate-main">
        <div className="gate-form">
          <div className="stack-small">
            <PageHeading title={title} />
            {intro === undefined ? null : <p className="soft">{intro}</p>}
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}
