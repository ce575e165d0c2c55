/** The token of an invite in the address of the registration page. */
export function readInviteToken(search: Record<string, unknown>): { invite_token?: string | undefined } {
  const { invite_token } = search;
  return { invite_token: typeof invite_token === 'string' ? invite_token : undefined };
}
