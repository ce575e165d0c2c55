/** The map itself, for the client's map page and for the page of a live link. */
import { Map as GlMap, NavigationControl, setWorkerUrl } from 'maplibre-gl';
import type { StyleSpecification } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import './pin.css';
import worker_url from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';

/** The part of the map's configuration that is needed to draw it. */
export interface MapAddress {
  readonly style_url: string;
  readonly token: string | null;
}

/** The map has only coasts and borders: zoomed in further, nothing would indicate where one is. */
export const NEAR_ZOOM = 6;
const WORLD = { center: [10, 30] as [number, number], zoom: 1.2 };

// By default the library looks for its worker next to its own file, which is not where the build puts it.
setWorkerUrl(new URL(worker_url, location.href).href);

/** The layers of our own style, with the design tokens that colour them. */
const COLOURS = [
  ['sea', 'background-color', '--map-water'],
  ['land', 'fill-color', '--map-land'],
  ['coast', 'line-color', '--line-strong'],
  ['borders', 'line-color', '--line-strong'],
] as const;

/** Colours the map with the theme of its surroundings. */
export function colourMap(map: GlMap): void {
  const tokens = getComputedStyle(map.getContainer());
  for (const [layer, property, token] of COLOURS)
    if (map.getLayer(layer) !== undefined) map.setPaintProperty(layer, property, tokens.getPropertyValue(token).trim());
}

async function fetchStyle({ style_url, token }: MapAddress): Promise<StyleSpecification> {
  const url = new URL(style_url, location.href);
  if (token !== null) url.searchParams.set('token', token);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The map answered ${answer.status}.`);
  return (await answer.json()) as StyleSpecification;
}

/** The labels of the library's own controls. */
export interface MapTexts {
  about: string;
  map: string;
  zoom_in: string;
  zoom_out: string;
}

/**
 * Creates a map of the world in an element.
 * @param stillWanted whether it is still needed once its style has been loaded
 * @throws Error without WebGL, or without the style
 */
export async function createMap(
  container: HTMLElement,
  address: MapAddress,
  words: MapTexts,
  stillWanted: () => boolean,
): Promise<GlMap | undefined> {
  const style = await fetchStyle(address);
  if (!stillWanted()) return undefined;
  const map = new GlMap({
    container,
    style,
    ...WORLD,
    attributionControl: { compact: true },
    dragRotate: false,
    locale: {
      'AttributionControl.ToggleAttribution': words.about,
      'Map.Title': words.map,
      'NavigationControl.ZoomIn': words.zoom_in,
      'NavigationControl.ZoomOut': words.zoom_out,
    },
  });
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.touchZoomRotate.disableRotation();
  map.on('style.load', () => colourMap(map));
  return map;
}

/**
 * A pin with a picture and a name. It is only for sight and pointer, since the page lists the same people as text.
 * @param initial shown when there is no picture
 */
export function createPin(name: string, initial: string, picture_url: string | null): HTMLElement {
  const pin = document.createElement('div');
  pin.className = 'pin';
  pin.setAttribute('aria-hidden', 'true');
  const face = document.createElement('span');
  face.className = 'pin-face';
  if (picture_url !== null) {
    const picture = document.createElement('img');
    picture.src = picture_url;
    picture.alt = '';
    face.append(picture);
  } else face.textContent = initial;
  const label = document.createElement('bdi');
  label.textContent = name;
  pin.append(face, label);
  return pin;
}
