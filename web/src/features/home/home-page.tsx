import { Link } from '@tanstack/react-router';
import { Bell, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { Page } from '../../ui/page.tsx';
import { ActiveCallBanner } from '../calls/active-call-banner.tsx';
import { useStartCall } from '../calls/start-call.ts';
import { SearchButton, SearchIconButton } from '../commands/search-button.tsx';
import { useMe } from '../me/me-query.ts';
import { Composer } from '../statuses/composer.tsx';
import { Feed } from '../statuses/feed.tsx';
import { MakeTag } from '../tags/make-tag.tsx';
import { SearchTags } from '../tags/search-tags.tsx';
import { YourTags } from '../tags/your-tags.tsx';

/** What stands beside the feed where there is room; on a phone it has pages of its own. */
function Aside() {
  const start = useStartCall();
  const [text, setText] = useState('');
  return (
    <div className="stack home-aside">
      <SearchButton />
      <section className="card" aria-labelledby="find-heading">
        <h2 id="find-heading">Find someone</h2>
        <SearchTags text={text} onText={setText} />
        <p className="divider">or</p>
        <button
          type="button"
          className="button button-quiet"
          disabled={start.isPending}
          onClick={() => start.mutate([])}
        >
          <Plus aria-hidden="true" />
          Open a room and share its link
        </button>
      </section>
      <section className="card" aria-labelledby="tags-heading">
        <h2 id="tags-heading">Your tags</h2>
        <YourTags />
        <details className="disclosure" open>
          <summary>A new tag</summary>
          <MakeTag />
        </details>
      </section>
    </div>
  );
}

/** A greeting for the hour of the reader's clock. */
function greet(hour = new Date().getHours()): string {
  if (hour < 5 || hour >= 18) return 'Good evening';
  return hour < 12 ? 'Good morning' : 'Good afternoon';
}

/** Where one starts: what those say whom one follows, and the way to say something. */
export function HomePage() {
  const me = useMe();
  return (
    <Page
      title={me === undefined ? greet() : `${greet()}, ${nameOf(me)}`}
      actions={
        <span className="narrow">
          <span className="head-acts">
            <SearchIconButton />
            <Link to="/search" className="ib">
              <Search aria-hidden="true" />
              <span className="visually-hidden">Search</span>
            </Link>
            <Link to="/notifications" className="ib">
              <Bell aria-hidden="true" />
              <span className="visually-hidden">Activity</span>
            </Link>
          </span>
        </span>
      }
    >
      <ActiveCallBanner />
      <div className="home-grid">
        <div className="stack">
          {me?.gate.mobile_verified === true ? <Composer me={me} /> : null}
          <Feed />
        </div>
        <Aside />
      </div>
    </Page>
  );
}
