/** Commands that reach people: calls, messages, statuses. */
import { sendText } from '../../../domain/messages/text-targets.ts';
import type { CallTarget } from '../../../domain/calls/callees.ts';
import { fail } from '../../../kernel/errors.ts';
import { selectUser } from '../queries.ts';
import type { Parsed } from './parse.ts';
import { list, namedOf, resolveOne, resolvePerson, runStep, textOf, type Plan, type Planners } from './plan.ts';
import { resolveNamed, type Context } from './resolve.ts';

/** What a call, a text or a status is, before it is known whether it is for now or for later. */
export type Act = {
  arguments: Plan['arguments'];
  /** As the end of a sentence: call *jazz. */
  words: string;
  kind: 'call' | 'text' | 'status';
  targets: CallTarget[];
  body: string | undefined;
};

/** Reads what can be done now or later. @returns undefined for other commands */
export async function readAct(context: Context, parsed: Parsed): Promise<Act | undefined> {
  if (parsed.name === 'call') {
    const people = [];
    for (const named of namedOf(parsed, 'to')) people.push(await resolveNamed(context, named));
    const video = parsed.form !== 1;
    return {
      arguments: { to: people.map(({ exact }) => exact), video },
      words: `${video ? 'video call' : 'call'} ${list(people.map(({ label }) => label))}`,
      kind: 'call',
      targets: people.map(({ target }) => target),
      body: undefined,
    };
  }
  if (parsed.name === 'text' || parsed.name === 'message') {
    const to = await (parsed.name === 'text' ? resolveOne : resolveMessaged)(context, parsed, 'to');
    const body = to.rest ?? textOf(parsed, 'body') ?? '';
    const words = `${parsed.name === 'text' ? 'text' : 'write to'} ${to.label}: “${body}”`;
    return { arguments: { to: to.exact, body }, words, kind: 'text', targets: [to.target], body };
  }
  if (parsed.name !== 'status') return undefined;
  const body = textOf(parsed, 'body') ?? '';
  return { arguments: { body }, words: `post the status “${body}”`, kind: 'status', targets: [], body };
}

/** A direct message goes to an account, whatever else the name stands for. */
async function resolveMessaged(context: Context, parsed: Parsed, name: string) {
  const one = await resolveOne(context, parsed, name);
  return 'group_id' in one.target ? one : resolvePerson(context, parsed, name);
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

async function planAct(context: Context, parsed: Parsed): Promise<Plan> {
  const act = (await readAct(context, parsed)) ?? fail('validation_failed');
  const { kind, targets, body = '' } = act;
  const [target] = targets;
  const run = () => {
    if (kind === 'status') return runStep(context, 'POST', '/statuses', { body: { body } });
    if (kind === 'text' && target) return sendText(context.by, target, body);
    const media = act.arguments['video'] === true ? { media: 'video' } : {};
    return runStep(context, 'POST', '/calls', { body: { to: targets, ...media } });
  };
  return { arguments: act.arguments, preview: `${capital(act.words)} now.`, run };
}

export const talking: Planners = {
  call: planAct,
  text: planAct,
  message: planAct,
  status: planAct,
  async voicemail(context, parsed) {
    const to = await resolvePerson(context, parsed, 'to');
    const body = to.rest ?? textOf(parsed, 'body') ?? '';
    return {
      arguments: { to: to.exact, body },
      preview: `Leave ${to.label} the voicemail “${body}” now.`,
      async run() {
        const { db } = context.by.change;
        const handle = 'tag' in to.target ? to.target.tag : await usernameOf(db, context, to.user_id);
        return runStep(context, 'POST', '/videomail/{handle}', { path: { handle }, body: { body } });
      },
    };
  },
  async live(context, parsed): Promise<Plan> {
    if (namedOf(parsed, 'tag').length === 0)
      return {
        arguments: {},
        preview: 'Go live in a public call now.',
        run: () => runStep(context, 'POST', '/calls', { body: { to: [], privacy: 'public' } }),
      };
    const [named] = namedOf(parsed, 'tag');
    const xtag = named?.text ?? '';
    return {
      arguments: { tag: `*${xtag}` },
      preview: `Ask whether *${xtag} is live.`,
      run: () => runStep(context, 'GET', '/profiles/{xtag}/live', { path: { xtag } }),
    };
  },
  end: (context) => ({
    arguments: {},
    preview: 'End your call, or leave it.',
    run: () => runStep(context, 'DELETE', '/calls/active'),
  }),
};

async function usernameOf(db: Context['by']['change']['db'], { by }: Context, user_id: string): Promise<string> {
  const user = (await selectUser(db, by.caller.user_id, { id: user_id })) ?? fail('not_found');
  return user.username;
}
