import { feature } from '../../kernel/endpoint.ts';
import { createLocationLink } from './create-location-link.ts';
import { discoverLocation } from './discover-location.ts';
import { locationStopped, locationUpdated } from './events.ts';
import { getLocationConfig } from './get-location-config.ts';
import { getLocationSettings } from './get-location-settings.ts';
import { lifecycle } from './lifecycle.ts';
import { listLocationLinks } from './list-location-links.ts';
import { listLocationPeople } from './list-location-people.ts';
import { listLocationViews } from './list-location-views.ts';
import { reportLocation } from './report-location.ts';
import { revokeLocationLink } from './revoke-location-link.ts';
import { updateLocationSettings } from './update-location-settings.ts';

export const location = feature({
  area: 'location',
  title: 'Location sharing',
  endpoints: [
    getLocationConfig,
    getLocationSettings,
    updateLocationSettings,
    reportLocation,
    listLocationPeople,
    discoverLocation,
    listLocationViews,
    listLocationLinks,
    createLocationLink,
    revokeLocationLink,
  ],
  events: [locationUpdated, locationStopped],
  lifecycle,
});
