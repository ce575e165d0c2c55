import type { Settings } from '../../widget/settings.ts';
import type { Widget } from '../../data/queries/widget-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** What a widget offers, in words. */
export const KINDS = {
  get chat() {
    return i18n.t('Chat');
  },
  get call() {
    return i18n.t('Call');
  },
  get follow() {
    return i18n.t('Follow');
  },
} as const;
export type Kind = keyof typeof KINDS;

/** A widget as edited in the builder. */
export interface WidgetDraft {
  readonly tag_id: string;
  readonly tag_name: string;
  readonly tag_title: string;
  readonly kind: Kind;
  readonly title: string;
  readonly accent: string | null;
  readonly mode: 'auto' | 'light' | 'dark';
  readonly position: 'left' | 'right';
  readonly group_id: string | null;
  /** One per line, as typed. */
  readonly origins: string;
}

/** The builder's initial state for a widget. */
export function draftOf({ tag, kind, title, theme, group_id, allowed_origins }: Widget): WidgetDraft {
  const own = { tag_id: tag.id, tag_name: tag.name, tag_title: tag.title };
  return { ...own, kind, title, ...theme, group_id, origins: allowed_origins.join('\n') };
}

/** The origins of a draft: page addresses are reduced to their origin, since people paste whole addresses. */
function readOrigins(origins: string): string[] {
  const typed = origins.split(/[\s,]+/).filter((one) => one !== '');
  return [...new Set(typed.map((one) => (URL.canParse(one) ? new URL(one).origin : one)))];
}

/** The editable settings of a draft, which exclude its tag and kind. */
export function settingsOf({ title, accent, mode, position, group_id, origins }: WidgetDraft) {
  return {
    title: title.trim(),
    theme: { accent, mode, position },
    group_id,
    allowed_origins: readOrigins(origins),
  };
}

/** The settings that the widget's frame would get. */
export function frameSettingsOf(draft: WidgetDraft): Settings {
  const { kind, title, accent, mode, position, tag_name, tag_title } = draft;
  return {
    id: '',
    kind,
    title: title.trim(),
    theme: { accent, mode, position },
    tag: { name: tag_name, title: tag_name === '' ? i18n.t('Choose a tag') : tag_title },
    allowed_origins: [],
    enabled: true,
    follow_url: new URL(`/app/t/${tag_name}`, location.href).href,
  };
}
