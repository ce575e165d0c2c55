import { isTimeZone } from '../../domain/recurrence/zones.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { languageOfOrigin } from '../../kernel/language/accept-language.ts';
import { i18nOf } from '../../kernel/language/i18n.ts';
import { object, optional, text, Type } from '../../kernel/schema.ts';
import { selectTimeZone } from './queries.ts';
import { Ambiguity, isUnresolved, describeAmbiguity, describeUnresolved } from './rules/resolve.ts';
import { planCommand, understand, undoOf } from './rules/understand.ts';
import { CommandResult } from './schemas.ts';

export const runCommand = endpoint({
  id: 'runCommand',
  route: 'POST /commands',
  summary: 'Run a command',
  body: object({
    text: text(1, 2000),
    dry_run: optional(Type.Boolean({ description: 'Returns what it would do, without doing it.' })),
    confirm: optional(Type.Boolean({ description: 'Runs it even if a target was guessed.' })),
    timezone: optional(text(1, 64, 'A name of the IANA time zone database; yours by default.')),
  }),
  reply: CommandResult,
  // The errors of the operations that it runs.
  errors: [
    'not_found',
    'forbidden',
    'limit_reached',
    'self_not_allowed',
    'account_deleted',
    'not_in_call',
    'plan_limit_reached',
    'call_in_progress',
    'already_decided',
    'thread_pending',
    'not_sharing',
    'gone',
    'unavailable',
  ],
  async run({ caller, origin, body, consume, ...change }) {
    const { db, now } = change;
    const { operations } = change.services;
    if (body.timezone !== undefined && !isTimeZone(body.timezone)) invalid({ timezone: 'is not a valid time zone' });
    const timezone = body.timezone ?? (await selectTimeZone(db, caller.user_id));
    const parsed = understand(body.text, operations, { now, timezone });
    const by = { caller, origin, consume, change };
    const i18n = i18nOf(languageOfOrigin(origin));
    const context = { text: body.text, by, timezone, is_confirmed: body.confirm === true, i18n };
    const plan = await planCommand(context, parsed).catch((error: unknown) => {
      if (error instanceof Ambiguity) return error;
      // A dry run previews what was parsed even if it names nobody; only running it is refused.
      if (body.dry_run === true && isUnresolved(error)) return undefined;
      throw error;
    });
    const common = { understood: true as const, command: parsed.name };
    if (!plan)
      return {
        ...common,
        arguments: {},
        preview: describeUnresolved(i18n),
        requires_confirmation: true,
        suggestions: [],
      };
    if (plan instanceof Ambiguity) {
      const preview = describeAmbiguity(i18n, plan);
      return { ...common, arguments: {}, preview, requires_confirmation: true, suggestions: plan.suggestions };
    }
    const understood = { ...common, arguments: plan.arguments, preview: plan.preview };
    if (body.dry_run === true) return understood;
    const result = await plan.run();
    const undo = undoOf(operations, parsed.name, { ...plan.arguments, ...plan.resultArguments?.(result) });
    return { ...understood, result, ...(undo === undefined ? {} : { undo }) };
  },
});
