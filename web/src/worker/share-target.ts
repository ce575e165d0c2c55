/** What other apps share with the installed client (Web Share Target API, W3C). */
import { storeShared } from './shared-content.ts';

/** The address in the manifest, which the page of the client has as well. */
const PLACE = '/app/share';

/** Stores what is shared, and leads to the page where its chat is chosen, which says so if nothing could be stored. */
async function receive(request: Request): Promise<Response> {
  await request
    .formData()
    .then(storeShared)
    .catch(() => undefined);
  return Response.redirect(PLACE, 303);
}

/** The response to a share; undefined for every other request. */
export function answerShare({ request }: FetchEvent): Promise<Response> | undefined {
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'POST' || origin !== self.location.origin || pathname !== PLACE) return undefined;
  return receive(request);
}
