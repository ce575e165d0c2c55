/** Commands that contact people: calls, messages, statuses. */
import type { I18n } from '../../../kernel/language/i18n.ts';
import { sendText } from '../../../domain/messages/text-targets.ts';
import type { CallTarget } from '../../../domain/calls/start/callees.ts';
import { fail } from '../../../kernel/errors.ts';
import { selectUser } from '../queries.ts';
import type { Parsed } from './parse.ts';
import {
  listNames,
  namedOf,
  requirePerson,
  resolveOne,
  resolvePerson,
  runStep,
  textOf,
  type Plan,
  type Planners,
} from './plan.ts';
import { resolveNamed, type Context } from './resolve.ts';

/** The content of a call, text or status, whether for now or for later. */
export type Act = {
  arguments: Plan['arguments'];
  /** What it does, in a sentence. @param when its time in words; now by default */
  say(when?: string): string;
  kind: 'call' | 'text' | 'status';
  targets: CallTarget[];
  body: string | undefined;
};

/** Reads a command that can be executed now or scheduled. @returns undefined for other commands */
export async function readAct(context: Context, parsed: Parsed): Promise<Act | undefined> {
  const { i18n } = context;
  if (parsed.name === 'call') {
    const people = [];
    for (const named of namedOf(parsed, 'to')) people.push(await resolveNamed(context, named));
    const video = parsed.form !== 1;
    const labels = people.map(({ label }) => label);
    return {
      arguments: { to: people.map(({ exact }) => exact), video },
      say: (when) => sayCall(i18n, video, listNames(context, labels), when),
      kind: 'call',
      targets: people.map(({ target }) => target),
      body: undefined,
    };
  }
  if (parsed.name === 'text' || parsed.name === 'message') {
    const to = await (parsed.name === 'text' ? resolveOne : resolveMessaged)(context, parsed, 'to');
    const body = to.rest ?? textOf(parsed, 'body') ?? '';
    const write = parsed.name === 'text' ? sayText : sayMessage;
    const say = (when?: string) => write(i18n, to.label, body, when);
    return { arguments: { to: to.exact, body }, say, kind: 'text', targets: [to.target], body };
  }
  if (parsed.name !== 'status') return undefined;
  const body = textOf(parsed, 'body') ?? '';
  const say = (when?: string) =>
    when === undefined ? i18n.t('Post “{body}” now.', { body }) : i18n.t('On {when}: post “{body}”.', { when, body });
  return { arguments: { body }, say, kind: 'status', targets: [], body };
}

/** A direct message is sent to an account, even if the name has other meanings. */
async function resolveMessaged(context: Context, parsed: Parsed, name: string) {
  const one = await resolveOne(context, parsed, name);
  return 'group_id' in one.target ? one : requirePerson(context, parsed, name, one);
}

function sayCall(i18n: I18n, video: boolean, names: string, when: string | undefined): string {
  if (when === undefined)
    return video ? i18n.t('Video call {names} now.', { names }) : i18n.t('Call {names} now.', { names });
  return video
    ? i18n.t('On {when}: video call {names}.', { when, names })
    : i18n.t('On {when}: call {names}.', { when, names });
}

const sayText = (i18n: I18n, name: string, body: string, when: string | undefined): string =>
  when === undefined
    ? i18n.t('Text {name}: “{body}” now.', { name, body })
    : i18n.t('On {when}: text {name}: “{body}”.', { when, name, body });

const sayMessage = (i18n: I18n, name: string, body: string, when: string | undefined): string =>
  when === undefined
    ? i18n.t('Message {name}: “{body}” now.', { name, body })
    : i18n.t('On {when}: message {name}: “{body}”.', { when, name, body });

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
  return { arguments: act.arguments, preview: act.say(), run };
}

export const contact_planners: Planners = {
  call: planAct,
  text: planAct,
  message: planAct,
  status: planAct,
  async voicemail(context, parsed) {
    const { i18n } = context;
    const to = await resolvePerson(context, parsed, 'to');
    const body = to.rest ?? textOf(parsed, 'body') ?? '';
    return {
      arguments: { to: to.exact, body },
      preview: i18n.t('Leave {name} the voicemail “{body}” now.', { name: to.label, body }),
      async run() {
        const { db } = context.by.change;
        const handle = 'tag' in to.target ? to.target.tag : await usernameOf(db, context, to.user_id);
        return runStep(context, 'POST', '/videomail/{handle}', { path: { handle }, body: { body } });
      },
    };
  },
  async live(context, parsed): Promise<Plan> {
    const { i18n } = context;
    if (namedOf(parsed, 'tag').length === 0)
      return {
        arguments: {},
        preview: i18n.t('Go live in a public call now.'),
        run: () => runStep(context, 'POST', '/calls', { body: { to: [], privacy: 'public' } }),
      };
    const [named] = namedOf(parsed, 'tag');
    const xtag = named?.text ?? '';
    return {
      arguments: { tag: `*${xtag}` },
      preview: i18n.t('Check whether *{tag} is live.', { tag: xtag }),
      run: () => runStep(context, 'GET', '/profiles/{xtag}/live', { path: { xtag } }),
    };
  },
  end: (context) => ({
    arguments: {},
    preview: context.i18n.t('End or leave your call.'),
    run: () => runStep(context, 'DELETE', '/calls/active'),
  }),
};

async function usernameOf(db: Context['by']['change']['db'], { by }: Context, user_id: string): Promise<string> {
  const user = (await selectUser(db, by.caller.user_id, { id: user_id })) ?? fail('not_found');
  return user.username;
}
