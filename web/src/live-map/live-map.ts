/** The map on the page of a live link: the page's own script fetches positions, and this one draws them. */
import { Marker } from 'maplibre-gl';
import { colourMap, createPin, createMap, NEAR_ZOOM } from '../features/location/draw-map.ts';
import type { MapAddress } from '../features/location/draw-map.ts';
import './live-map.css';

interface Position {
  latitude: number | null;
  longitude: number | null;
  map: MapAddress;
}

interface Settings extends Position {
  name: string;
  avatar_url: string | null;
}

/** This page is in English, like every page rendered by the service. */
const WORDS = { about: 'About this map', map: 'Map', zoom_in: 'Zoom in', zoom_out: 'Zoom out' };

/**
 * Opens the map once there is a position, and follows it. Without WebGL the page remains as it is without this script.
 */
async function openMap(place: HTMLElement, { name, avatar_url, ...settings }: Settings): Promise<void> {
  let newest: Position = settings;
  let map_token = settings.map.token;
  const point = (): [number, number] | undefined =>
    newest.latitude === null || newest.longitude === null ? undefined : [newest.longitude, newest.latitude];
  const first = point() ?? (await nextPosition());
  place.hidden = false;
  const map = await createMap(place, newest.map, WORDS, () => true);
  if (map === undefined) return;
  // The token of the tiles may expire before the link does: each position comes with a new one.
  map.setTransformRequest((url) => ({
    url: map_token === null ? url : url.replace(/token=[^&]*/, `token=${map_token}`),
  }));
  map.jumpTo({ center: first, zoom: NEAR_ZOOM - 1 });
  const pin = new Marker({
    element: createPin(name, [...name][0]?.toUpperCase() ?? '?', avatar_url),
    anchor: 'bottom',
  });
  pin.setLngLat(first).addTo(map);
  map.once('idle', () => {
    place.dataset['drawn'] = '';
  });
  addEventListener('position', (event) => {
    newest = (event as CustomEvent<Position>).detail;
    map_token = newest.map.token;
    const to = point();
    if (to === undefined) return;
    pin.setLngLat(to);
    // A viewer who has moved the map is looking at something else.
    if (!map.getBounds().contains(to)) map.panTo(to);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => colourMap(map));
}

function nextPosition(): Promise<[number, number]> {
  return new Promise((resolve) =>
    addEventListener('position', (event) => {
      const { latitude, longitude } = (event as CustomEvent<Position>).detail;
      if (latitude !== null && longitude !== null) resolve([longitude, latitude]);
    }),
  );
}

const place = document.querySelector<HTMLElement>('#map');
if (place)
  openMap(place, JSON.parse(place.dataset['settings'] ?? '{}') as Settings).catch(() => {
    place.hidden = true;
  });
