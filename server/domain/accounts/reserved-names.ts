/** Reserved usernames and tags, which could be mistaken for the service itself or its operators. */
import { invalid } from '../../kernel/errors.ts';

const reserved = new Set([
  'abuse',
  'account',
  'accounts',
  'admin',
  'administration',
  'administrator',
  'admins',
  'api',
  'asterism',
  'billing',
  'help',
  'helpdesk',
  'hostmaster',
  'legal',
  'mailerdaemon',
  'moderation',
  'moderator',
  'moderators',
  'noreply',
  'official',
  'operator',
  'operators',
  'password',
  'payments',
  'postmaster',
  'privacy',
  'root',
  'security',
  'staff',
  'superuser',
  'support',
  'sysadmin',
  'system',
  'trustandsafety',
  'verification',
  'verified',
  'verify',
  'webmaster',
]);

/** Whether a username or tag, in lower case, is reserved; separators are ignored. */
export const isReservedName = (name: string): boolean => reserved.has(name.replaceAll(/[._-]/g, ''));

/** @throws ApiError `validation_failed` that names the field */
export function requireUnreserved(field: string, name: string): void {
  if (isReservedName(name.toLowerCase())) invalid({ [field]: 'is reserved' });
}
