import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, ChevronRight } from 'lucide-react';
import { useContext, useEffect, useRef } from 'react';
import { PageHeading } from '../../ui/page.tsx';
import { PaneContent, Panes, PaneTitle } from '../../ui/panes/panes.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { TagCard } from '../../ui/brand/tag-sky.tsx';
import { ThemeSwitch } from '../../ui/brand/theme.tsx';
import { ListBeside } from '../../ui/hooks/use-list-beside.ts';
import { useShownPath } from '../../ui/hooks/use-shown-path.ts';
import { useWide } from '../../ui/hooks/use-wide.ts';
import { tagQuery, useAreTagsLoading, useOwnTags } from '../../data/queries/tag-queries.ts';
import { detailTitle, PROFILE, SETTINGS, type Setting } from './settings-list.ts';
import './settings.css';
import { i18n } from '../../i18n/i18n.ts';

function SettingRow({ setting, current }: { setting: Setting; current: boolean }) {
  const { to, label, icon: Icon, for_phone } = setting;
  return (
    <li className={for_phone ? 'narrow' : undefined}>
      <Link to={to} className="row" aria-current={current ? 'page' : undefined}>
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
  const is_loading = useAreTagsLoading();
  if (is_loading)
    return (
      <div className="settings-card">
        <SkeletonBlock height="184px" />
      </div>
    );
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

/** The list of the section. On a phone it is a page of its own. */
function List({ is_page, is_profile_open }: { is_page: boolean; is_profile_open: boolean }) {
  const title = i18n.t('You');
  const rows = useRef<HTMLElement>(null);
  const path = useShownPath();
  // The page may have been opened elsewhere, or by its address, while its row is outside of the window.
  useEffect(() => rows.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [path]);
  return (
    <>
      <header className="bar">
        <PaneTitle title={title} is_page={is_page} />
        <ThemeSwitch />
      </header>
      <div className="scroll settings-list">
        <OwnCard />
        <nav ref={rows} aria-label={title} className="stack">
          {SETTINGS.map((group) => (
            <ul key={group[0]?.to} className="group">
              {group.map((setting) => (
                <SettingRow key={setting.to} setting={setting} current={is_profile_open && setting.to === PROFILE} />
              ))}
            </ul>
          ))}
        </nav>
      </div>
    </>
  );
}

/** Whether the open page is not one of the reader's own: the tag of somebody else, or the step before the first page. */
function useIsElsewhere(): boolean {
  const { tagId } = useParams({ strict: false });
  const { next } = useSearch({ strict: false });
  const tag = useQuery({ ...tagQuery(tagId ?? ''), enabled: tagId !== undefined }).data;
  return next !== undefined || tag?.is_mine === false;
}

/** The section You: the list of its pages, with the open one beside it. */
export function SettingsLayout() {
  const path = useShownPath().replace(/\/$/, '');
  const wide = useWide();
  const is_beside_another = useContext(ListBeside) !== undefined;
  if (useIsElsewhere() || is_beside_another) return <Outlet />;
  const is_list = path === '/settings';
  const is_page = is_list && !wide;
  const title = detailTitle(path);
  return (
    <Panes
      is_alone={is_list}
      kind="keep-tabs"
      labels={{ list: i18n.t('You'), detail: i18n.t('Details') }}
      // A phone does not show it beside an open page, and need not load it.
      list={is_list || wide ? <List is_page={is_page} is_profile_open={is_list && wide} /> : null}
    >
      {is_page ? null : (
        <PaneContent>
          {path.startsWith('/settings') ? (
            <div className="settings-detail">
              <header className="page-head">
                <Link to="/settings" className="icon-button narrow">
                  <ArrowLeft aria-hidden="true" />
                  <span className="visually-hidden">{i18n.t('Back to You')}</span>
                </Link>
                <PageHeading title={title} />
              </header>
              <Outlet />
            </div>
          ) : (
            <Outlet />
          )}
        </PaneContent>
      )}
    </Panes>
  );
}
