import type { ReactNode } from 'react';
import { Brand } from '../../ui/brand.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { ThemeSwitch } from '../../ui/theme.tsx';
import './auth.css';

const STARS = [
  [62, 70, 2.4], [118, 34, 1.4], [176, 92, 3], [236, 52, 1.6], [300, 110, 2.2], [350, 40, 1.3], [330, 210, 1.8],
  [86, 168, 1.3], [212, 186, 1.5], [40, 260, 1.8], [150, 290, 1.2], [280, 300, 2.6], [372, 330, 1.5], [96, 360, 2],
  [210, 380, 1.4],
] as const; // prettier-ignore

function Sky() {
  return (
    <svg className="gate-stars" viewBox="0 0 400 400" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path d="M62 70L176 92L300 110L280 300L96 360" fill="none" stroke="#f2c14e" strokeOpacity="0.22" />
      {STARS.map(([x, y, r]) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r={r} fill="#f2c14e" opacity={r > 2 ? 0.75 : 0.4} />
      ))}
    </svg>
  );
}

/** The frame of every page for people who are not signed in. */
export function GateLayout({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <div className="gate">
      <a className="skip-link" href="#main">
        Skip to the form
      </a>
      <ThemeSwitch className="gate-theme" />
      <header className="gate-sky">
        <Sky />
        <Brand />
        <h2>One name that reaches you.</h2>
        <p>Make a tag, share it, and people can talk with you, without ever knowing your number.</p>
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
