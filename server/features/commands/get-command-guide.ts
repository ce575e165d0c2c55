import { endpoint } from '../../kernel/endpoint.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { i18nOf } from '../../kernel/language/i18n.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object } from '../../kernel/schema.ts';
import { availableGrammar, CommandGuide, presentCommand } from './rules/guide.ts';

export const getCommandGuide = endpoint({
  id: 'getCommandGuide',
  route: 'GET /commands/guide',
  summary: 'Get the command guide',
  query: object(offsetQuery),
  reply: listOf(CommandGuide),
  async run({ origin, query, services }) {
    const rest = availableGrammar(services.operations).slice(query.offset ?? 0);
    const i18n = i18nOf(languageOfOrigin(origin));
    return toPage([...rest], query, (one) => presentCommand(one, i18n));
  },
});
