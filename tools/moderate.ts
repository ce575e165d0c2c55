/**
 * npm run moderate: the operator's tool for reports, hidden content and suspended accounts. It can be run beside the
 * service.
 */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../server/app/config/config.ts';
import { reachDatabase } from '../server/app/engines.ts';
import { openModeration } from '../server/app/moderation-services.ts';
import { hideable_types, type HideableType } from '../server/domain/moderation/hiding.ts';
import {
  dismissReport,
  grantPlanByOperator,
  hideContent,
  ModerationError,
  report_states,
  requireReport,
  restoreUser,
  selectReports,
  suspendUser,
  type ModerationReason,
} from '../server/domain/moderation/moderation.ts';
import type { Services } from '../server/kernel/services.ts';
import { formatForTerminal } from './terminal-text.ts';

const usage = `Usage: npm run moderate -- COMMAND [--reason TEXT] [--operator NAME]
  list [open|dismissed|resolved]     the reports, the oldest first (at most 100)
  show REPORT                        one report with its snapshot and what was done
  dismiss REPORT --reason TEXT       close it without an act
  hide TYPE ID --reason TEXT         hide a tag, status, reply or comment from all but its author
  unhide TYPE ID --reason TEXT       take that back
  suspend USER --reason TEXT         suspend an account, by identifier or username
  restore USER --reason TEXT         end the suspension
  plan USER plus|free --reason TEXT  give an account the paid plan without a payment, or take that back
The operator is the account that runs this unless --operator names another.`;

type Command = (services: Services, words: string[], motive: () => ModerationReason) => Promise<unknown>;

/** Parses a word of a closed list. @throws ModerationError with the usage */
function oneOf<T extends string>(words: readonly T[], word: string | undefined): T {
  const found = words.find((one) => one === word);
  if (!found) throw new ModerationError(usage);
  return found;
}

function required(word: string | undefined): string {
  return word ?? oneOf([], word);
}

const commands: Record<string, Command> = {
  list: ({ db }, [state = 'open']) => selectReports(db, oneOf(report_states, state), 100),
  show: ({ db }, [id]) => requireReport(db, required(id)),
  dismiss: (services, [id], motive) => dismissReport(services, required(id), motive()),
  hide: (services, [type, id], motive) => hide(services, type, id, 'hide', motive()),
  unhide: (services, [type, id], motive) => hide(services, type, id, 'unhide', motive()),
  suspend: (services, [user], motive) => suspendUser(services, required(user), motive()),
  restore: (services, [user], motive) => restoreUser(services, required(user), motive()),
  plan: (services, [user, tier], motive) =>
    grantPlanByOperator(services, required(user), oneOf(['plus', 'free'], tier), motive()),
};

function hide(
  services: Services,
  type: string | undefined,
  id: string | undefined,
  act: 'hide' | 'unhide',
  motive: ModerationReason,
): Promise<void> {
  return hideContent(services, oneOf<HideableType>(hideable_types, type), required(id), act, motive);
}

async function moderate(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { reason: { type: 'string' }, operator: { type: 'string' } },
  });
  const [name = '', ...words] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new ModerationError(usage);
  const motive = (): ModerationReason => {
    const reason = values.reason?.trim();
    if (!reason) throw new ModerationError('Say why with --reason TEXT: it is kept with the act.');
    return { reason, operator: values.operator ?? userInfo().username };
  };
  const config = readConfig(process.env, join(import.meta.dirname, '..'));
  const database = await reachDatabase(config, (line) => console.error(line));
  try {
    const moderation = openModeration(config, database.url);
    const result = await command(moderation.services, words, motive).finally(() => moderation.close());
    if (result !== undefined) console.log(formatForTerminal(result));
  } finally {
    await database.close();
  }
}

await moderate().catch((error: unknown) => {
  console.error((error as Error).message);
  process.exitCode = 1;
});
