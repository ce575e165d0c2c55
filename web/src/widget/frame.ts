/** The frame of a widget: a button that opens a panel with a chat or a call, or a link that opens the tag's page. */
import './frame.css';
import { openApi, type StreamEvent, type StreamState } from './api.ts';
import { addCall } from './call-panel.ts';
import { addChat } from './chat-panel.ts';
import { element } from './dom.ts';
import { i18n } from '../i18n/i18n.ts';
import { connectToHost, RefusedError, applyColourScheme, type Host } from './host.ts';
import { activateVisitorLanguage } from './language.ts';
import { subscribeToPreview, PREVIEW_STATUS } from './preview.ts';
import type { Settings } from './settings.ts';

const CLOSED = { width: 260, height: 76 };
const OPEN = { width: 390, height: 620 };

const root = document.querySelector<HTMLElement>('#widget');
if (root?.dataset['preview'] !== undefined) void openPreview(root);
else if (root) void openFrame(root, JSON.parse(root.dataset['settings'] ?? '{}') as Settings);

/** Listens to the embedding page first: it sends its message only once, and does not wait for a language to load. */
async function openFrame(place: HTMLElement, settings: Settings): Promise<void> {
  const host = connectToHost(settings.allowed_origins);
  await activateVisitorLanguage();
  start(place, settings, host);
}

async function openPreview(place: HTMLElement): Promise<void> {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  applyColourScheme(dark.matches);
  dark.addEventListener('change', ({ matches }) => applyColourScheme(matches));
  await activateVisitorLanguage();
  let shown: AbortController | undefined;
  subscribeToPreview((settings, host, is_open) => {
    shown?.abort();
    shown = new AbortController();
    place.replaceChildren();
    start(place, settings, host, { is_open, signal: shown.signal });
  });
}

/** Black or white: the one with the higher contrast on a colour (WCAG 2.2, relative luminance). */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

/** The state of a preview in the builder: whether the panel is open, and a signal that the next update aborts. */
type Preview = { is_open: boolean; signal: AbortSignal };

/** Colours and place of the frame, as its owner has set them. */
function applyTheme({ mode, position, accent }: Settings['theme']): void {
  const { dataset, style } = document.documentElement;
  dataset['mode'] = mode;
  dataset['side'] = position;
  for (const name of ['--accent', '--on-accent']) style.removeProperty(name);
  if (!accent) return;
  style.setProperty('--accent', accent);
  style.setProperty('--on-accent', inkOn(accent));
}

/** The link of a widget that only opens the page of its tag. */
function createFollowLink(settings: Settings): HTMLElement {
  const link = element('a', { class: 'launch follow', href: settings.follow_url, target: '_blank', rel: 'noopener' });
  link.textContent = settings.title || i18n.t('Follow *{name}', { name: settings.tag.name });
  return link;
}

/** The elements of a widget with a panel, which is closed at first. */
function createPanel(title: string) {
  const launch = element('button', { class: 'launch', type: 'button', 'aria-expanded': 'false' });
  launch.textContent = title;
  const panel = element('section', { class: 'panel', 'aria-label': title });
  panel.hidden = true;
  const close = element('button', { class: 'plain', type: 'button', 'aria-label': i18n.t('Close') });
  close.textContent = '✕';
  const heading = element('h1', {});
  heading.textContent = title;
  const header = element('header', {});
  header.append(heading, close);
  const note = element('p', { class: 'note', role: 'status' });
  panel.append(header, note);
  return { launch, panel, close, note };
}

function start(place: HTMLElement, settings: Settings, host: Host, preview?: Preview): void {
  applyTheme(settings.theme);
  const side = settings.theme.position;
  host.place({ open: false, side, ...CLOSED });
  if (settings.kind === 'follow' && settings.enabled) {
    place.append(createFollowLink(settings));
    return;
  }
  const { launch, panel, close, note } = createPanel(settings.title || settings.tag.title || `*${settings.tag.name}`);
  place.append(launch, panel);
  let is_filled = false;
  const open = (takes_focus = true) => {
    panel.hidden = false;
    launch.hidden = true;
    host.place({ open: true, side, ...OPEN });
    if (!settings.enabled) note.textContent = i18n.t('This widget is turned off.');
    else if (!is_filled) fillPanel(panel, note, settings, host, preview !== undefined);
    is_filled = true;
    if (takes_focus) (panel.querySelector<HTMLElement>('textarea:not(:disabled), .call button') ?? close).focus();
  };
  const hide = () => {
    panel.hidden = true;
    launch.hidden = false;
    host.place({ open: false, side, ...CLOSED });
    launch.focus();
  };
  launch.addEventListener('click', () => open());
  close.addEventListener('click', hide);
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && !panel.hidden) hide();
  };
  document.addEventListener('keydown', onKey, preview ? { signal: preview.signal } : {});
  if (preview?.is_open) open(false);
}

/** A refusal as text for the guest. */
function refusalText(error: unknown): string {
  const status = error instanceof RefusedError ? error.status : -1;
  if (status === PREVIEW_STATUS) return i18n.t('This is a preview. Nothing is sent.');
  if (status === 0) return i18n.t('You are offline. Trying again…');
  if (status === 403 || status === 422) return i18n.t('This widget is turned off.');
  if (status === 429) return i18n.t('Too many messages. Wait a moment.');
  if (status === 409) return i18n.t('All lines are busy. Try again shortly.');
  return i18n.t('Something went wrong. Try again.');
}

/** What the guest reads about the connection; nothing while it is there. */
function stateText(state: StreamState): string {
  if (state === 'lost') return i18n.t('You are offline. Trying again…');
  return state === 'over' ? i18n.t('This widget is turned off.') : '';
}

/** Adds the chat, and the call if the widget has one, and connects them to the stream of events. */
function fillPanel(panel: HTMLElement, note: HTMLElement, settings: Settings, host: Host, is_preview: boolean): void {
  const api = openApi(host, () => '');
  const say = (text: string) => {
    note.textContent = text;
  };
  const refuse = (error: unknown) => say(refusalText(error));
  // A success clears the message of an earlier refusal.
  const onResult = (error?: unknown) => (error === undefined ? say('') : refuse(error));
  const call = settings.kind === 'call' ? addCall(panel, api, settings.tag.name, onResult) : undefined;
  const chat = addChat(panel, api, settings.id, onResult);
  const onEvent = (event: StreamEvent) => {
    const { type, data } = event;
    if (type === 'ready' || type === 'reset') void chat.reload().then(() => onResult(), refuse);
    if (data?.['widget_id'] === settings.id) chat.onEvent(event);
    if (type.startsWith('call.')) call?.onEvent(data);
  };
  const onState = (state: StreamState) => {
    say(stateText(state));
    chat.setOver(state === 'over');
    if (state === 'over') call?.close();
  };
  if (!is_preview) api.follow(onEvent, onState);
}
