/** Commands for scheduling and for location sharing. */
import type { I18n } from '../../../kernel/language/i18n.ts';
import { found } from '../../../kernel/errors.ts';
import { wireTime } from '../../../kernel/time.ts';
import { selectLastJob } from '../queries.ts';
import {
  commandOf,
  listNames,
  namedOf,
  resolvePerson,
  runStep,
  durationOf,
  textOf,
  whenOf,
  type Plan,
  type Planners,
} from './plan.ts';
import type { Parsed } from './parse.ts';
import type { Named } from './read-targets.ts';
import type { Duration } from './time/read-day.ts';
import type { When } from './time/resolve-time.ts';
import { describeMoment, describeRule } from './time/describe-when.ts';
import { refuseName, resolveNamed, type Context } from './resolve.ts';
import { readAct } from './contact-planners.ts';

const whole = ({ text }: Context) => ({ start: 0, end: text.length });

/** The time in unambiguous words. */
function describeTime({ i18n }: Context, { at, timezone, rrule }: When): string {
  const moment = describeMoment(i18n, at, timezone);
  return rrule === undefined ? moment : `${moment} · ${describeRule(i18n, rrule)}`;
}

const timing = ({ at, timezone, rrule }: When) => ({
  run_at: wireTime(at),
  timezone,
  ...(rrule === undefined ? {} : { rrule }),
});
const timingArguments = (when: When): Plan['arguments'] => {
  const { run_at, ...rest } = timing(when);
  return { at: run_at, ...rest };
};
const jobArguments = (result: unknown) => ({ job: (result as { id: string }).id });

type Audience = 'contacts' | 'followers' | 'public';

function sayShare(i18n: I18n, audience: Audience | undefined, names: string, moment: string): string {
  switch (audience) {
    case 'contacts':
      return i18n.t('Share your location with your contacts until {moment}.', { moment });
    case 'followers':
      return i18n.t('Share your location with your followers until {moment}.', { moment });
    case 'public':
      return i18n.t('Share your location with everyone until {moment}.', { moment });
    default:
      return i18n.t('Share your location with {names} until {moment}.', { names, moment });
  }
}

/** The default and the maximum duration of location sharing in a command, in seconds. */
const usual_share_s = 3600;

function sharedUntil(context: Context, parsed: Parsed): Date {
  const until = whenOf(parsed, 'until');
  if (until) return until.at;
  const duration: Duration = durationOf(parsed, 'for') ?? { minutes: usual_share_s / 60 };
  const { minutes = 0, hours = 0, days = 0, weeks = 0, months = 0, years = 0 } = duration;
  const all_days = days + weeks * 7 + months * 30 + years * 365;
  return new Date(context.by.change.now.getTime() + (minutes + hours * 60 + all_days * 1440) * 60_000);
}

const audiences: Record<string, Audience> = {
  contacts: 'contacts',
  'my contacts': 'contacts',
  followers: 'followers',
  'my followers': 'followers',
  everybody: 'public',
  everyone: 'public',
  public: 'public',
};
const audienceOf = ([only, ...others]: Named[]): Audience | undefined =>
  only?.kind === 'name' && others.length === 0 ? audiences[only.text.toLowerCase()] : undefined;

export const scheduling_planners: Planners = {
  async schedule(context, parsed) {
    const command = commandOf(parsed, 'command');
    const when = whenOf(parsed, 'at');
    const act = command && (await readAct(context, command.parsed));
    if (!act || !when)
      return refuseName(context, whole(context), 'must be call, text, message or post to be scheduled');
    if (act.targets.length > 1)
      return refuseName(context, whole(context), 'must be a single target for a scheduled call');
    const [target] = act.targets;
    const body = {
      kind: act.kind,
      ...(target ? { target } : {}),
      ...(act.body === undefined ? {} : { body: act.body }),
    };
    return {
      arguments: { command: command.text, ...timingArguments(when) },
      preview: act.say(describeTime(context, when)),
      run: () => runStep(context, 'POST', '/scheduled-jobs', { body: { ...body, ...timing(when) } }),
      resultArguments: jobArguments,
    };
  },
  remind(context, parsed) {
    const body = textOf(parsed, 'body') ?? '';
    const when = whenOf(parsed, 'at') ?? refuseName(context, whole(context), 'does not contain a time');
    return {
      arguments: { body, ...timingArguments(when) },
      preview: context.i18n.t('On {when}: remind you “{body}”.', { when: describeTime(context, when), body }),
      run: () => runStep(context, 'POST', '/scheduled-jobs', { body: { kind: 'reminder', body, ...timing(when) } }),
      resultArguments: jobArguments,
    };
  },
  async cancel(context, parsed) {
    const job_id = textOf(parsed, 'job') ?? (await lastJob(context));
    return {
      arguments: { job: job_id },
      preview: context.i18n.t('Cancel the scheduled {job}.', { job: job_id }),
      run: () => runStep(context, 'DELETE', '/scheduled-jobs/{job_id}', { path: { job_id } }),
    };
  },
  async 'share location'(context, parsed) {
    const named = namedOf(parsed, 'people');
    const audience = named.length === 0 ? 'contacts' : audienceOf(named);
    const some = [];
    for (const one of audience ? [] : named) {
      const resolved = await resolveNamed(context, one);
      some.push({
        ...resolved,
        user_id: resolved.user_id ?? refuseName(context, one, 'is not someone with an account'),
      });
    }
    const until = sharedUntil(context, parsed);
    const expires_at = wireTime(until);
    const settings = audience ? { mode: audience } : { mode: 'selected', people: some.map(({ user_id }) => user_id) };
    const names = listNames(
      context,
      some.map(({ label }) => label),
    );
    return {
      arguments: { people: audience ?? some.map(({ exact }) => exact), until: expires_at },
      preview: sayShare(context.i18n, audience, names, describeMoment(context.i18n, until, context.timezone)),
      run: () => runStep(context, 'PATCH', '/location/settings', { body: { ...settings, expires_at } }),
    };
  },
  'stop sharing': (context) => ({
    arguments: {},
    preview: context.i18n.t('Stop sharing your location.'),
    run: () => runStep(context, 'PATCH', '/location/settings', { body: { mode: 'off' } }),
  }),
  async where(context, parsed): Promise<Plan> {
    const who = namedOf(parsed, 'who').length > 0 ? await resolvePerson(context, parsed, 'who') : undefined;
    return {
      arguments: who ? { who: who.exact } : {},
      preview: who
        ? context.i18n.t('Show where {name} is.', { name: who.label })
        : context.i18n.t('Show where everyone is.'),
      async run() {
        const answer = (await runStep(context, 'GET', '/location/people')) as { items: { user: { id: string } }[] };
        return who ? { ...answer, items: answer.items.filter(({ user }) => user.id === who.user_id) } : answer;
      },
    };
  },
};

/** The newest pending job. @throws ApiError `not_found` */
async function lastJob({ by }: Context): Promise<string> {
  return found(await selectLastJob(by.change.db, by.caller.user_id)).id;
}
