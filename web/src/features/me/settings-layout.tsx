import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { ArrowLeft, ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { PageHeading } from '../../ui/page.tsx';
import { TagCard } from '../../ui/brand/tag-sky.tsx';
import { ThemeSwitch } from '../../ui/brand/theme.tsx';
import { useWide } from '../../ui/hooks/use-wide.ts';
import { useOwnTags } from '../tags/tag-queries.ts';
import { detailTitle, PROFILE, SETTINGS, type Setting } from './settings-list.ts';
import './settings.css';
import { i18n } from '../../i18n/i18n.ts';

function SettingRow({ setting, current }: { setting: Setting; current: boolean }) {
  const { to, label, icon: Icon } = setting;
  return (
    <li>
      <Link to={to} className="row" activeOptions={{ exact: true }} aria-current={current ? 'page' : undefined}>
        <Icon aria-hidden="true" className="icon" />
        <span className="body">
          <b>{label}</b>
        </span>
        <ChevronRight aria-hidden="true" className="icon m" />
      </Link>
    </li>
  );
}

function OwnCard() {
  const [tag] = useOwnTags();
  if (tag === undefined) return null;
  const followers = i18n.t('{count, plural, one {# follower} other {# followers}}', { count: tag.follower_count });
  return (
    <Link to="/t/$name" params={{ name: tag.name }} className="settings-card">
      <TagCard name={tag.name}>
        <span className="title">{i18n.t('Your tag · {followers}', { followers })}</span>
      </TagCard>
    </Link>
  );
}

/** The section You: the list of its pages, with the open one beside it. */
export function SettingsLayout() {
  const { pathname } = useLocation();
  const wide = useWide();
  const is_list = pathname.replace(/\/$/, '') === '/settings';
  return (
    <main id="main" tabIndex={-1} className={is_list ? 'panes' : 'panes show-detail keep-tabs'}>
      <div className="pane list">
        <header className="bar">
          {is_list && !wide ? <PageHeading title={i18n.t('You')} /> : <h2 className="pane-title">{i18n.t('You')}</h2>}
          <ThemeSwitch />
        </header>
        <div className="scroll settings-list">
          <OwnCard />
          <nav aria-label={i18n.t('You')} className="stack">
            {SETTINGS.map((group) => (
              <Fragment key={group[0]?.to}>
                <ul className="group">
                  {group.map((setting) => (
                    <SettingRow
                      key={setting.to}
                      setting={setting}
                      current={is_list && wide && setting.to === PROFILE}
                    />
                  ))}
                </ul>
              </Fragment>
            ))}
          </nav>
        </div>
      </div>
      {is_list && !wide ? null : (
        <div className="pane detail">
          <div className="scroll">
            <div className="settings-detail">
              <header className="page-head">
                <Link to="/settings" className="ib narrow">
                  <ArrowLeft aria-hidden="true" />
                  <span className="visually-hidden">{i18n.t('Back to You')}</span>
                </Link>
                <PageHeading key={pathname} title={detailTitle(pathname)} />
              </header>
              <Outlet />
            </div>
          </div>
        </div>
      )}
    </main>
  );
}
