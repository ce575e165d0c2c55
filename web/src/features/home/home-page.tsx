import { Plus } from 'lucide-react';
import { nameOf } from '../../ui/avatar.tsx';
import { Page } from '../../ui/page.tsx';
import { ActiveCallBanner } from '../calls/active-call-banner.tsx';
import { useStartCall } from '../calls/start-call.ts';
import { useMe } from '../me/me-query.ts';
import { MakeTag } from '../tags/make-tag.tsx';
import { SearchTags } from '../tags/search-tags.tsx';
import { YourTags } from '../tags/your-tags.tsx';

/** Where one starts: find somebody and talk; one's own tags beside it. */
export function HomePage() {
  const me = useMe();
  const start = useStartCall();
  return (
    <Page title={me === undefined ? 'Hello' : `Hello, ${nameOf(me)}`}>
      <ActiveCallBanner />
      <div className="home-grid">
        <section className="card" aria-labelledby="find-heading">
          <h2 id="find-heading">Find someone</h2>
          <SearchTags />
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
    </Page>
  );
}
