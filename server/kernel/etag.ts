/** Entity tags: conditional requests (RFC 9110, sections 8.8.3 and 13.1.2). */
import { createHash } from 'node:crypto';

/** A strong entity tag of a representation: the same text has the same tag on every node. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Whether an `If-None-Match` names the tag. Weak tags match too, since proxies that compress weaken them. */
export function matchesEtag(if_none_match: string | undefined, tag: string): boolean {
  if (if_none_match === undefined) return false;
  if (if_none_match.trim() === '*') return true;
  return if_none_match.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
