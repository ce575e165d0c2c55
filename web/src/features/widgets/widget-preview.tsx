import { SendHorizontal } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { WidgetDraft } from './widget-draft.ts';
import { inkOn } from './widget-draft.ts';
import { i18n } from '../../i18n/i18n.ts';

const USUAL = { light: '#2c3480', dark: '#5460d6' } as const;

function launchWords({ kind, title, tag_name }: WidgetDraft): string {
  return title.trim() || (kind === 'follow' ? i18n.t('Follow *{name}', { name: tag_name }) : `*${tag_name}`);
}

/** How the widget will look in a page, as it is being made. A picture of it: nothing in it can be pressed. */
export function WidgetPreview({ draft }: { draft: WidgetDraft }) {
  const { kind, mode, accent, position, tag_name } = draft;
  const own = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  const theme = mode === 'auto' ? own : mode;
  const fill = accent ?? USUAL[theme];
  const words = tag_name === '' ? i18n.t('Choose a tag') : launchWords(draft);
  return (
    <figure className="widget-preview">
      <figcaption className="small soft">{i18n.t('How it looks in a page')}</figcaption>
      <div
        className="preview-page"
        data-theme={theme}
        data-side={position}
        style={{ '--fill': fill, '--on-fill-w': inkOn(fill) } as CSSProperties}
        aria-hidden="true"
      >
        <div className="preview-lines">
          <i />
          <i />
          <i />
        </div>
        {kind === 'follow' ? null : (
          <div className="preview-panel">
            <b dir="auto">{words}</b>
            {kind === 'chat' ? (
              <>
                <span className="preview-in">{i18n.t('Hello, how can we help?')}</span>
                <span className="preview-out">{i18n.t('Are you open today?')}</span>
                <span className="preview-write">
                  {i18n.t('Write a message')}
                  <SendHorizontal size={16} />
                </span>
              </>
            ) : (
              <span className="preview-call">{i18n.t('Call')}</span>
            )}
          </div>
        )}
        <span className="preview-launch" dir="auto">
          {words}
        </span>
      </div>
    </figure>
  );
}
