/** Asks again and again where somebody is, and says how long ago that was. The page of a link that has ended says so. */

/** As often as positions are sent. */
const refresh_ms = 5000;
const place = document.getElementById('place');
const links = document.getElementById('acts');
const ago = place.querySelector('time');
const relative = new Intl.RelativeTimeFormat(place.dataset.locale, { numeric: 'auto' });
let recorded_ms = ago.dateTime ? Date.parse(ago.dateTime) : 0;

function showAge() {
  if (!recorded_ms) return;
  const age_s = Math.max(0, Math.round((performance.timeOrigin + performance.now() - recorded_ms) / 1000));
  if (age_s < 5) ago.textContent = relative.format(0, 'second');
  else if (age_s < 90) ago.textContent = relative.format(-age_s, 'second');
  else ago.textContent = relative.format(-Math.round(age_s / 60), 'minute');
}

function showPosition(position) {
  if (position.latitude === null) return;
  recorded_ms = Date.parse(position.recorded_at);
  ago.dateTime = position.recorded_at;
  const [latitude, longitude] = [position.latitude.toFixed(5), position.longitude.toFixed(5)];
  place.querySelector('.at').textContent = place.dataset.at
    .replace('{place}', `${latitude}, ${longitude}`)
    .replace('{metres}', Math.round(position.accuracy_m));
  const [own_map, open_street_map] = links.querySelectorAll('a');
  own_map.href = `geo:${latitude},${longitude}`;
  open_street_map.href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;
  links.hidden = false;
  dispatchEvent(new CustomEvent('position', { detail: position }));
  showAge();
}

async function refresh() {
  try {
    const response = await fetch(`/v1/public-links/${place.dataset.token}`, { cache: 'no-store' });
    if (response.status === 410) location.reload();
    else if (response.ok) showPosition(await response.json());
  } catch {
    // Offline: the next time.
  }
}

setInterval(showAge, 1000);
setInterval(refresh, refresh_ms);
showAge();
