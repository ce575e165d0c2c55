import { requireWidgetAsAgent } from '../../domain/widgets/widgets.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { component, object, Type } from '../../kernel/schema.ts';
import { WidgetPath } from './schemas.ts';

const WidgetEmbed = component(
  'WidgetEmbed',
  object({
    html: Type.String({ description: 'One line of HTML for pages of allowed origins. It contains no secret.' }),
    script_url: Type.String(),
    frame_url: Type.String(),
  }),
);

export const getWidgetEmbed = endpoint({
  id: 'getWidgetEmbed',
  route: 'GET /widgets/{widget_id}/embed',
  summary: 'Get the embed code of a widget',
  path: WidgetPath,
  reply: WidgetEmbed,
  async run({ path, caller, db, services }) {
    const { public_key } = await requireWidgetAsAgent(db, path.widget_id, caller.user_id);
    const script_url = `${services.public_url}/embed.js`;
    return {
      html: `<script async src="${script_url}" data-widget="${public_key}"></script>`,
      script_url,
      frame_url: `${services.public_url}/w/${public_key}`,
    };
  },
});
