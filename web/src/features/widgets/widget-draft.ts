import type { Widget } from './widget-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

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

/** A widget as it stands in the builder. */
export interface WidgetDraft {
  readonly tag_id: string;
  readonly tag_name: string;
  readonly kind: Kind;
  readonly title: string;
  readonly accent: string | null;
  readonly mode: 'auto' | 'light' | 'dark';
  readonly position: 'left' | 'right';
  readonly group_id: string | null;
  /** One a line, as typed. */
  readonly origins: string;
}

/** A widget as the builder begins with it. */
export function draftOf({ tag, kind, title, theme, group_id, allowed_origins }: Widget): WidgetDraft {
  return { tag_id: tag.id, tag_name: tag.name, kind, title, ...theme, group_id, origins: allowed_origins.join('\n') };
}

/** The origins of a draft, one each: an address of a page is cut to its origin, as people copy whole addresses. */
function readOrigins(origins: string): string[] {
  const typed = origins.split(/[\s,]+/).filter((one) => one !== '');
  return [...new Set(typed.map((one) => (URL.canParse(one) ? new URL(one).origin : one)))];
}

/** What is sent of a draft besides its tag and its kind. */
export function settingsOf({ title, accent, mode, position, group_id, origins }: WidgetDraft) {
  return {
    title: title.trim(),
    theme: { accent, mode, position },
    group_id,
    allowed_origins: readOrigins(origins),
  };
}

/** Black or white, whichever is read better on a colour (WCAG 2.2, relative luminance), as the widget itself does it. */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}
