import { Map as GlMap, Marker, NavigationControl, setWorkerUrl } from 'maplibre-gl';
import type { StyleSpecification } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import worker_url from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import type { MapConfig, PersonLocation } from './location-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

// The library looks for its worker beside itself, where the build does not put it.
setWorkerUrl(new URL(worker_url, location.href).href);

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface MapViewProps {
  config: MapConfig;
  people: readonly PersonLocation[];
  me: Point | undefined;
  /** What is brought into the middle; a new object each time. */
  focus: Point | undefined;
  /** The browser cannot draw it. */
  onFailed: () => void;
}

/** The layers of our own style by the tokens that colour them. */
const COLOURS = [
  ['sea', 'background-color', '--map-water'],
  ['land', 'fill-color', '--map-land'],
  ['coast', 'line-color', '--line-strong'],
  ['borders', 'line-color', '--line-strong'],
] as const;

/** Draws the map in the colours of the theme. */
function colour(map: GlMap): void {
  const tokens = getComputedStyle(document.documentElement);
  for (const [layer, property, token] of COLOURS)
    if (map.getLayer(layer) !== undefined) map.setPaintProperty(layer, property, tokens.getPropertyValue(token).trim());
}

async function fetchStyle({ style_url, token }: MapConfig): Promise<StyleSpecification> {
  const url = new URL(style_url, location.href);
  if (token !== null) url.searchParams.set('token', token);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The map answered ${answer.status}.`);
  return (await answer.json()) as StyleSpecification;
}

/** A pin is for the eye and the pointer: the list beside the map says the same to everybody. */
function createPin(person: PersonLocation, onPress: () => void): HTMLElement {
  const name = nameOf(person.user);
  const pin = document.createElement('div');
  pin.className = 'pin';
  pin.setAttribute('aria-hidden', 'true');
  const face = document.createElement('span');
  face.className = 'pin-face';
  if (person.user.avatar_url) {
    const picture = document.createElement('img');
    picture.src = person.user.avatar_url;
    picture.alt = '';
    face.append(picture);
  } else face.textContent = [...name][0]?.toLocaleUpperCase(locale()) ?? '?';
  const label = document.createElement('bdi');
  label.textContent = name;
  pin.append(face, label);
  pin.addEventListener('click', onPress);
  return pin;
}

function createDot(): HTMLElement {
  const dot = document.createElement('div');
  dot.className = 'me-dot';
  dot.setAttribute('aria-hidden', 'true');
  return dot;
}

/** Coasts and borders are all that the map draws: nearer, nothing would say where one is. */
const NEAR_ZOOM = 6;
const WORLD = { center: [10, 30] as [number, number], zoom: 1.2 };

/** Makes the map once, and unmakes it with the page. */
function useMap(config: MapConfig, onFailed: () => void) {
  const place = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<GlMap>();
  const fail = useRef(onFailed);
  fail.current = onFailed;
  const known = useRef(config);
  useEffect(() => {
    const container = place.current;
    if (container === null) return;
    let made: GlMap | undefined;
    let is_gone = false;
    const make = async () => {
      const style = await fetchStyle(known.current);
      if (is_gone) return;
      made = new GlMap({ container, style, ...WORLD, attributionControl: { compact: true }, dragRotate: false });
      made.addControl(new NavigationControl({ showCompass: false }), 'top-right');
      made.touchZoomRotate.disableRotation();
      const drawn = made;
      drawn.on('style.load', () => colour(drawn));
      setMap(drawn);
    };
    // Without WebGL, or without the style, people are still listed.
    make().catch(() => fail.current());
    const themes = new MutationObserver(() => made && colour(made));
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      is_gone = true;
      themes.disconnect();
      made?.remove();
    };
  }, []);
  return { place, map };
}

/** The map with everybody who shares their place with the reader. */
export function MapView({ config, people, me, focus, onFailed }: MapViewProps) {
  const { place, map } = useMap(config, onFailed);
  const has_centred = useRef(false);
  useEffect(() => {
    if (map === undefined) return;
    const go = ({ latitude, longitude }: Point) => map.flyTo({ center: [longitude, latitude], zoom: NEAR_ZOOM });
    const pins = people.map((person) =>
      new Marker({ element: createPin(person, () => go(person)), anchor: 'bottom' })
        .setLngLat([person.longitude, person.latitude])
        .addTo(map),
    );
    if (me !== undefined)
      pins.push(new Marker({ element: createDot() }).setLngLat([me.longitude, me.latitude]).addTo(map));
    return () => pins.forEach((pin) => pin.remove());
  }, [map, people, me]);
  const first = focus ?? me ?? people[0];
  useEffect(() => {
    if (map === undefined || first === undefined) return;
    if (focus === undefined && has_centred.current) return;
    const to = { center: [first.longitude, first.latitude] as [number, number], zoom: NEAR_ZOOM };
    if (has_centred.current) map.flyTo(to);
    else map.jumpTo(to);
    has_centred.current = true;
  }, [map, first, focus]);
  return <div ref={place} className="mapview" role="region" aria-label={i18n.t('Map')} />;
}
