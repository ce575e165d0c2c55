/** Commands about people: follows, blocks, contacts, groups, invites. */
import { found } from '../../../kernel/errors.ts';
import { selectTag } from '../queries.ts';
import { namedOf, resolveOne, resolvePerson, runStep, textOf, type Plan, type Planners } from './plan.ts';
import type { Parsed } from './parse.ts';
import { refuseName, resolveBlocked, type Context } from './resolve.ts';

/** A tag by its name; an unknown one is refused by its operation. @throws ApiError `not_found` */
async function requireNamedTag({ by }: Context, parsed: Parsed) {
  const [named] = namedOf(parsed, 'tag');
  return found(await selectTag(by.change.db, by.caller.user_id, named?.text ?? '', by.change.now));
}

async function planFollow(context: Context, parsed: Parsed): Promise<Plan> {
  const { i18n } = context;
  const tag = await requireNamedTag(context, parsed);
  const method = parsed.name === 'follow' ? 'PUT' : 'DELETE';
  return {
    arguments: { tag: `*${tag.name}` },
    preview:
      parsed.name === 'follow'
        ? i18n.t('Follow *{tag}.', { tag: tag.name })
        : i18n.t('Unfollow *{tag}.', { tag: tag.name }),
    run: () => runStep(context, method, '/xtags/{xtag_id}/follow', { path: { xtag_id: tag.id } }),
  };
}

async function planMember(context: Context, parsed: Parsed): Promise<Plan> {
  const contact = await resolveOne(context, parsed, 'who');
  const group = await resolveOne(context, parsed, 'group');
  const { contact_id } = contact;
  if (contact_id === undefined)
    return refuseName(context, namedOf(parsed, 'who')[0] ?? { start: 0, end: 0 }, 'is not one of your contacts');
  if (!('group_id' in group.target))
    return refuseName(context, namedOf(parsed, 'group')[0] ?? { start: 0, end: 0 }, 'is not one of your groups');
  const { group_id } = group.target;
  return {
    arguments: { who: contact.exact, group: group.exact },
    preview: context.i18n.t('Add {name} to the group {group}.', { name: contact.label, group: group.label }),
    run: () => runStep(context, 'PUT', '/groups/{group_id}/members/{contact_id}', { path: { group_id, contact_id } }),
  };
}

/** A number, an e-mail address or a tag, as a contact field. */
function placeOf(address: string): object {
  if (address.startsWith('*')) return { tag_name: address.slice(1) };
  return address.includes('@') ? { emails: [{ address }] } : { phones: [{ number: address }] };
}

export const people_planners: Planners = {
  follow: planFollow,
  unfollow: planFollow,
  async block(context, parsed) {
    const who = await resolvePerson(context, parsed, 'who');
    return {
      arguments: { who: who.exact },
      preview: context.i18n.t('Block {name}.', { name: who.label }),
      run: () => runStep(context, 'POST', '/blocks', { body: { user_id: who.user_id } }),
      // Blocked people can only be found by their own name.
      resultArguments: (result) => ({ who: `@${(result as { user: { username: string } }).user.username}` }),
    };
  },
  async unblock(context, parsed) {
    const [named] = namedOf(parsed, 'who');
    const who = await resolveBlocked(context, named ?? refuseName(context, { start: 0, end: 0 }));
    return {
      arguments: { who: who.exact },
      preview: context.i18n.t('Unblock {name}.', { name: who.exact }),
      run: () => runStep(context, 'DELETE', '/blocks/{blocked_user_id}', { path: { blocked_user_id: who.id } }),
    };
  },
  invite(context, parsed) {
    const to = textOf(parsed, 'to') ?? '';
    const message = textOf(parsed, 'message');
    const channel = to.includes('@') ? 'email' : 'sms';
    return {
      arguments: { to, ...(message === undefined ? {} : { message }) },
      preview:
        channel === 'sms'
          ? context.i18n.t('Invite {to} by SMS now.', { to })
          : context.i18n.t('Invite {to} by e-mail now.', { to }),
      run: () =>
        runStep(context, 'POST', '/invites', { body: { channel, to, ...(message === undefined ? {} : { message }) } }),
    };
  },
  async add(context, parsed) {
    if (parsed.values['group']) return planMember(context, parsed);
    const name = namedOf(parsed, 'name')[0]?.text ?? '';
    const address = textOf(parsed, 'address') ?? '';
    return {
      arguments: { name, address },
      preview: context.i18n.t('Add the contact {name} with {address}.', { name, address }),
      run: () => runStep(context, 'POST', '/contacts', { body: { name, ...placeOf(address) } }),
      resultArguments: (result) => ({ contact: (result as { id: string }).id }),
    };
  },
  async remove(context, parsed) {
    const contact = await resolveOne(context, parsed, 'contact');
    const { contact_id } = contact;
    if (contact_id === undefined)
      return refuseName(context, namedOf(parsed, 'contact')[0] ?? { start: 0, end: 0 }, 'is not one of your contacts');
    return {
      arguments: { contact: contact.exact },
      preview: context.i18n.t('Remove the contact {name}.', { name: contact.label }),
      run: () => runStep(context, 'DELETE', '/contacts/{contact_id}', { path: { contact_id } }),
    };
  },
  group(context, parsed) {
    const name = namedOf(parsed, 'name')[0]?.text ?? '';
    return {
      arguments: { name },
      preview: context.i18n.t('Create the group {name}.', { name }),
      run: () => runStep(context, 'POST', '/groups', { body: { name } }),
    };
  },
};
