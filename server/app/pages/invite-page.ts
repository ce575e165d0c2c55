/** `/i/{token}`: the address in an invite, which leads to the registration. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { requireOpenInvite } from '../../domain/contacts/invites.ts';
import { isLinkToken } from '../../domain/public-links/links.ts';
import { ApiError } from '../../kernel/errors.ts';
import { languageOfRequest } from '../../kernel/language/accept-language.ts';
import { i18nOf, type Language } from '../../kernel/language/i18n.ts';
import type { Services } from '../../kernel/services.ts';
import { absencePage, sendPage } from './public-page.ts';

/** Adds the address. An invite that is used, revoked, expired or was never sent is answered with 410. */
export function addInvitePage(http: FastifyInstance, services: Services): void {
  http.get<{ Params: { token: string } }>('/i/:token', async (request, reply) => {
    await services.throttle.consume('default', request.ip);
    const { token } = request.params;
    // The address contains a secret: it is neither cached nor sent as referrer.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    if (!(await isOpen(services, token))) return sendGone(reply, languageOfRequest(request));
    return reply.redirect(`/app/register?invite_token=${token}`);
  });
}

async function isOpen({ db, clock }: Services, token: string): Promise<boolean> {
  if (!isLinkToken(token)) return false;
  try {
    await requireOpenInvite(db, token, clock.now());
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'gone') return false;
    throw error;
  }
}

function sendGone(reply: FastifyReply, language: Language): Promise<FastifyReply> {
  const i18n = i18nOf(language);
  const text = i18n.t('It was used or withdrawn, or it has expired. You can create an account without it.');
  return sendPage(reply.status(410), absencePage(language, i18n.t('This invite is no longer valid'), text));
}
