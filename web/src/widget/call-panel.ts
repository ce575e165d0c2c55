/** The call of a guest: buttons to call, hang up and mute, and the audio and video. */
import type { Api, Call, SfuGrant } from './api.ts';
import type { Media } from './call.ts';
import { newKey } from '../data/new-key.ts';
import { i18n } from '../i18n/i18n.ts';
import { element } from './dom.ts';

export type CallPanel = {
  /** Handles an event of a call from the stream. */
  onEvent(data: Record<string, unknown>): void;
  close(): void;
};

function makeBar() {
  const bar = element('div', { class: 'call' });
  const dial = element('button', { type: 'button' });
  const mute = element('button', { type: 'button', 'aria-pressed': 'false' });
  mute.textContent = i18n.t('Mute');
  const status = element('span', { role: 'status' });
  const videos = element('div', {});
  bar.append(dial, mute, status, videos);
  return { bar, dial, mute, status, videos };
}

/**
 * Adds the call to the panel of a widget. `onResult` gets the error when a call could not be started, or undefined when
 * one was.
 */
export function addCall(panel: HTMLElement, api: Api, tag: string, onResult: (error?: unknown) => void): CallPanel {
  const { bar, dial, mute, status, videos } = makeBar();
  panel.append(bar);
  let call: Call | undefined;
  let media: Media | undefined;
  let is_busy = false;

  const show = () => {
    dial.textContent = call ? i18n.t('Hang up') : i18n.t('Call');
    dial.disabled = is_busy;
    mute.hidden = media === undefined;
    const answered = call?.participants.some(({ user, state }) => user !== null && state === 'joined');
    status.textContent = !call ? '' : answered ? i18n.t('Connected') : i18n.t('Ringing…');
  };
  const end = () => {
    call = undefined;
    void media?.close();
    media = undefined;
    videos.replaceChildren();
    mute.setAttribute('aria-pressed', 'false');
    show();
  };
  const begin = async () => {
    const client = import('./call.ts');
    call = await api.call<Call>('POST /calls', { to: [{ tag }] }, { 'idempotency-key': newKey() });
    onResult();
    show();
    const grant = await api.call<SfuGrant>(`POST /calls/${call.join_code}/sfu-grant`, {});
    media = await (await client).openMedia(grant, videos, end);
  };
  const hangUp = async () => {
    end();
    await api.call('DELETE /calls/active').catch(() => undefined);
  };
  dial.addEventListener('click', () => {
    is_busy = true;
    show();
    void (call ? hangUp() : begin())
      .catch((error: unknown) => {
        onResult(error);
        return call && hangUp();
      })
      .finally(() => {
        is_busy = false;
        show();
      });
  });
  mute.addEventListener('click', () => {
    const is_muted = mute.getAttribute('aria-pressed') !== 'true';
    mute.setAttribute('aria-pressed', String(is_muted));
    void media?.setMicrophone(!is_muted);
  });
  show();
  return {
    onEvent(data) {
      const updated = data['call'] as Call | undefined;
      if (!call || updated?.conference_id !== call.conference_id) return;
      call = updated;
      if (updated.state !== 'ended') return show();
      end();
      status.textContent = i18n.t('The call has ended.');
    },
    close: end,
  };
}
