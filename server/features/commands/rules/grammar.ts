/**
 * The grammar of commands, as data for the parser, the guide, completion and speech recognition. A form consists of
 * words and `{argument:type}`; `[…]` is optional. Forms are tried in order.
 */
import type { I18n } from '../../../kernel/language/i18n.ts';
import type { Method } from '../../../kernel/caller.ts';

/** What an argument can be. */
export const argument_types = [
  'target',
  'targets',
  'person',
  'tag',
  'group',
  'text',
  'name',
  'address',
  'time',
  'duration',
  'job',
  'command',
  'word',
] as const;
/** What an argument can be. */
export type ArgumentType = (typeof argument_types)[number];

/** A command of the grammar. */
export type Command = {
  name: string;
  /** What it does, in the reader's language. Its forms are English in every language. */
  summary: (i18n: I18n) => string;
  forms: readonly string[];
  examples: readonly string[];
  /** The operations that it runs; the command is unavailable when one is missing. */
  operations: readonly (readonly [Method, string])[];
  /** The text that undoes it; `{…}` are its arguments. */
  undo?: string;
};

const dm = [
  ['POST', '/dm/threads'],
  ['POST', '/dm/threads/{thread_id}/chat'],
] as const;
const jobs = [['POST', '/scheduled-jobs']] as const;

/** All commands, in the order in which the guide lists them. */
export const commands = [
  {
    name: 'call',
    summary: (i18n) => i18n.t('Call people, a group or a phone.'),
    forms: ['call {to:targets} with video', 'call {to:targets}', 'video call {to:targets}'],
    examples: ['call *jazz', 'call @bob and Anna', 'video call "Book club"', 'call +14155550123'],
    operations: [['POST', '/calls']],
    undo: 'end',
  },
  {
    name: 'text',
    summary: (i18n) => i18n.t('Message a person, a group or a phone.'),
    forms: ['text {to:target} [:] {body:text}', 'send {body:text} to {to:target}'],
    examples: ['text *jazz See you at eight', 'text Anna Smith: On my way', 'text +14155550123 "Running late"'],
    operations: dm,
  },
  {
    name: 'message',
    summary: (i18n) => i18n.t('Send a direct message.'),
    forms: ['message {to:person} [:] {body:text}', 'dm {to:person} [:] {body:text}'],
    examples: ['message @bob Hello there', 'dm Anna: Lunch?'],
    operations: dm,
  },
  {
    name: 'voicemail',
    summary: (i18n) => i18n.t('Leave someone a voicemail.'),
    forms: ['voicemail {to:person} [:] {body:text}'],
    examples: ['voicemail *jazz Please call me back'],
    operations: [['POST', '/videomail/{handle}']],
  },
  {
    name: 'status',
    summary: (i18n) => i18n.t('Create a post.'),
    forms: ['status [:] {body:text}', 'post [:] {body:text}'],
    examples: ['post On stage tonight', 'status: We are live at nine'],
    operations: [['POST', '/statuses']],
  },
  {
    name: 'follow',
    summary: (i18n) => i18n.t('Follow a tag.'),
    forms: ['follow {tag:tag}'],
    examples: ['follow *jazz'],
    operations: [['PUT', '/xtags/{xtag_id}/follow']],
    undo: 'unfollow {tag}',
  },
  {
    name: 'unfollow',
    summary: (i18n) => i18n.t('Unfollow a tag.'),
    forms: ['unfollow {tag:tag}', 'stop following {tag:tag}'],
    examples: ['unfollow *jazz'],
    operations: [['DELETE', '/xtags/{xtag_id}/follow']],
    undo: 'follow {tag}',
  },
  {
    name: 'invite',
    summary: (i18n) => i18n.t('Invite someone to the service by e-mail or SMS.'),
    forms: ['invite {to:address} [:] [{message:text}]'],
    examples: ['invite ann@example.org', 'invite +14155550123 Join me here'],
    operations: [['POST', '/invites']],
  },
  {
    name: 'block',
    summary: (i18n) => i18n.t('Block someone.'),
    forms: ['block {who:person}'],
    examples: ['block @bob'],
    operations: [['POST', '/blocks']],
    undo: 'unblock {who}',
  },
  {
    name: 'unblock',
    summary: (i18n) => i18n.t('Unblock someone.'),
    forms: ['unblock {who:person}'],
    examples: ['unblock @bob'],
    operations: [['DELETE', '/blocks/{blocked_user_id}']],
    undo: 'block {who}',
  },
  {
    name: 'add',
    summary: (i18n) => i18n.t('Add a contact, or add one to a group.'),
    forms: ['add {who:name} to group {group:group}', 'add [contact] {name:name} {address:address}'],
    examples: ['add Anna Smith +14155550123', 'add contact Bob bob@example.org', 'add Anna to group "Book club"'],
    operations: [
      ['POST', '/contacts'],
      ['PUT', '/groups/{group_id}/members/{contact_id}'],
    ],
    undo: 'remove contact {contact}',
  },
  {
    name: 'remove',
    summary: (i18n) => i18n.t('Remove a contact.'),
    forms: ['remove contact {contact:name}'],
    examples: ['remove contact Anna Smith'],
    operations: [['DELETE', '/contacts/{contact_id}']],
  },
  {
    name: 'group',
    summary: (i18n) => i18n.t('Create a group.'),
    forms: ['group create {name:name}', 'group {name:name}', 'create group {name:name}'],
    examples: ['group Book club', 'create group Choir'],
    operations: [['POST', '/groups']],
  },
  {
    name: 'schedule',
    summary: (i18n) => i18n.t('Schedule something, once or repeatedly.'),
    forms: [
      'schedule {command:command} for {at:time}',
      'schedule {command:command} {at:time}',
      'at {at:time} {command:command}',
      'on {at:time} {command:command}',
      'in {at:time} {command:command}',
      'tomorrow {at:time} {command:command}',
    ],
    examples: [
      'schedule call *jazz for tomorrow at 5pm',
      'at 9am post Good morning',
      'on Friday at 18:00 text @bob See you tonight',
      'schedule post Weekly news every Monday at 9',
    ],
    operations: jobs,
    undo: 'cancel {job}',
  },
  {
    name: 'remind',
    summary: (i18n) => i18n.t('Remind yourself.'),
    forms: [
      'remind me to {body:text} {at:time}',
      'remind me {at:time} to {body:text}',
      'remind me of {body:text} {at:time}',
    ],
    examples: ['remind me to water the plants tomorrow at 8', 'remind me in 20 minutes to stretch'],
    operations: jobs,
    undo: 'cancel {job}',
  },
  {
    name: 'cancel',
    summary: (i18n) => i18n.t('Cancel something scheduled.'),
    forms: ['cancel {job:job}', 'cancel last [job]'],
    examples: ['cancel last', 'cancel job_00000000000000000000000000'],
    operations: [
      ['DELETE', '/scheduled-jobs/{job_id}'],
      ['GET', '/scheduled-jobs'],
    ],
  },
  {
    name: 'share location',
    summary: (i18n) => i18n.t('Share your location for a while.'),
    forms: [
      'share [my] location with {people:targets} for {for:duration}',
      'share [my] location with {people:targets} until {until:time}',
      'share [my] location with {people:targets}',
      'share [my] location for {for:duration}',
      'share [my] location until {until:time}',
      'share [my] location',
    ],
    examples: ['share location with @bob for 2 hours', 'share my location until 6pm'],
    operations: [['PATCH', '/location/settings']],
    undo: 'stop sharing',
  },
  {
    name: 'stop sharing',
    summary: (i18n) => i18n.t('Stop sharing your location.'),
    forms: ['stop sharing [my] [location]'],
    examples: ['stop sharing'],
    operations: [['PATCH', '/location/settings']],
  },
  {
    name: 'where',
    summary: (i18n) => i18n.t('A map of the people who share their location with you.'),
    forms: ['where [is] [everybody]', 'where is everyone', 'where is {who:person}'],
    examples: ['where is @bob', 'where is everybody'],
    operations: [['GET', '/location/people']],
  },
  {
    name: 'live',
    summary: (i18n) => i18n.t('Go live in a public call, or check whether a tag is live.'),
    forms: ['live', 'go live', 'live {tag:tag}', 'is {tag:tag} live'],
    examples: ['live', 'is *jazz live'],
    operations: [
      ['POST', '/calls'],
      ['GET', '/profiles/{xtag}/live'],
    ],
  },
  {
    name: 'end',
    summary: (i18n) => i18n.t('End or leave your current call.'),
    forms: ['end [call]', 'end the call', 'hang up'],
    examples: ['end', 'hang up'],
    operations: [['DELETE', '/calls/active']],
  },
  {
    name: 'help',
    summary: (i18n) => i18n.t('All commands. Commands are in English.'),
    forms: ['help [with] {command:word}', 'help'],
    examples: ['help', 'help schedule'],
    operations: [],
  },
] as const satisfies readonly Command[];

/** The name of a command. */
export type CommandName = (typeof commands)[number]['name'];
