import { theme_modes, theme_positions, widget_kinds } from '../../domain/widgets/widgets.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { idOf, lineText, nullable, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';

export const WidgetPath = object({ widget_id: idOf('wid') });

export const Kind = oneOf(...widget_kinds);

export const Origins = Type.Array(Type.String({ maxLength: 300 }), {
  minItems: 1,
  maxItems: default_limits.widget_origins,
  description: 'The origins whose pages may embed it: exactly https://host[:port], or http://localhost[:port].',
});

const Theme = object({
  accent: optional(nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Must be #rrggbb.' }))),
  mode: optional(oneOf(...theme_modes)),
  position: optional(oneOf(...theme_positions)),
});

/** The input fields of a widget, besides its kind and its origins. */
export const widgetSettings = {
  title: optional(lineText(0, 80)),
  theme: optional(Theme),
  group_id: optional(nullable(idOf('grp'))),
  enabled: optional(Type.Boolean()),
};

/** A theme whose missing members are the previous or default values. */
export function fillTheme(
  theme: Static<typeof Theme> | undefined,
  before: { accent: string | null; mode: (typeof theme_modes)[number]; position: (typeof theme_positions)[number] } = {
    accent: null,
    mode: 'auto',
    position: 'right',
  },
): typeof before {
  return { ...before, ...theme };
}
