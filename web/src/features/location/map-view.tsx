import { Marker } from 'maplibre-gl';
import type { Map as GlMap } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { colourMap, createPin, createMap, NEAR_ZOOM } from './draw-map.ts';
import type { MapConfig, PersonLocation } from './location-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface MapViewProps {
  config: MapConfig;
  people: readonly PersonLocation[];
  me: Point | undefined;
  /** The new centre of the map; a new object each time. */
  focus: Point | undefined;
  /** The map cannot be drawn in this browser. */
  onFailed: () => void;
}

/** The pin of a person, which centres the map on them. */
function pinOf({ user }: PersonLocation, onPress: () => void): HTMLElement {
  const name = nameOf(user);
  const pin = createPin(name, [...name][0]?.toLocaleUpperCase(locale()) ?? '?', user.avatar_url);
  pin.addEventListener('click', onPress);
  return pin;
}

function createDot(): HTMLElement {
  const dot = document.createElement('div');
  dot.className = 'me-dot';
  dot.setAttribute('aria-hidden', 'true');
  return dot;
}

const mapWords = () => ({
  about: i18n.t('About this map'),
  map: i18n.t('Map'),
  zoom_in: i18n.t('Zoom in'),
  zoom_out: i18n.t('Zoom out'),
});

/** Creates the map once, and removes it with the page. */
function useMap(config: MapConfig, onFailed: () => void) {
  const place = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<GlMap>();
  const [is_loading, setLoading] = useState(true);
  const fail = useRef(onFailed);
  fail.current = onFailed;
  const known = useRef(config);
  useEffect(() => {
    const container = place.current;
    if (container === null) return;
    let made: GlMap | undefined;
    let is_gone = false;
    const make = async () => {
      made = await createMap(container, known.current, mapWords(), () => !is_gone);
      made?.on('dataloading', () => setLoading(true));
      made?.on('idle', () => setLoading(false));
      setMap(made);
    };
    // Without WebGL, or without the style, people are still listed.
    make().catch(() => fail.current());
    const themes = new MutationObserver(() => made && colourMap(made));
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      is_gone = true;
      themes.disconnect();
      made?.remove();
    };
  }, []);
  return { place, map, is_loading };
}

/** The map with all people who share their location with the reader. */
export function MapView({ config, people, me, focus, onFailed }: MapViewProps) {
  const { place, map, is_loading } = useMap(config, onFailed);
  const has_centred = useRef(false);
  useEffect(() => {
    if (map === undefined) return;
    const go = ({ latitude, longitude }: Point) => map.flyTo({ center: [longitude, latitude], zoom: NEAR_ZOOM });
    const pins = people.map((person) =>
      new Marker({ element: pinOf(person, () => go(person)), anchor: 'bottom' })
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
  return <div ref={place} className="mapview" role="region" aria-label={i18n.t('Map')} aria-busy={is_loading} />;
}
