import { endpoint } from '../../kernel/endpoint.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object } from '../../kernel/schema.ts';
import { availableGrammar, CommandGuide, presentCommand } from './rules/guide.ts';

export const getCommandGuide = endpoint({
  id: 'getCommandGuide',
  route: 'GET /commands/guide',
  summary: 'Get the command guide',
  query: object(offsetQuery),
  reply: listOf(CommandGuide),
  async run({ query, services }) {
    const rest = availableGrammar(services.operations).slice(query.offset ?? 0);
    return toPage([...rest], query, presentCommand);
  },
});
