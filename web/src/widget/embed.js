// Embeds the frame of an Asterism widget in a page. Served unchanged at /embed.js; stores nothing and reads no cookie.
(() => {
  const script = document.currentScript;
  const key = script && script.dataset.widget;
  if (!key || document.querySelector('iframe[data-asterism="' + CSS.escape(key) + '"]')) return;
  const home = new URL(script.src).origin;
  const frame = document.createElement('iframe');
  frame.dataset.asterism = key;
  frame.title = 'Asterism';
  frame.allow = 'microphone; camera; autoplay';
  frame.src = home + '/w/' + encodeURIComponent(key);
  const side = { left: 'auto', right: 'auto' };
  const place = (width, height, wide) => {
    const small = wide && matchMedia('(max-width: 480px)').matches;
    Object.assign(frame.style, {
      ...side,
      position: 'fixed',
      bottom: '0',
      border: '0',
      zIndex: '2147483000',
      // That of the document in the frame, which is transparent only where the two are equal.
      colorScheme: 'light',
      background: 'transparent',
      width: small ? '100%' : width + 'px',
      height: small ? '100%' : height + 'px',
      maxWidth: '100%',
      maxHeight: '100%',
    });
  };
  place(0, 0, false);
  const tell = (message) => frame.contentWindow && frame.contentWindow.postMessage(message, home);
  const bound = (value, most) => Math.max(0, Math.min(most, Number(value) || 0));

  // The browser sends this page's origin; the service answers only origins that the widget allows.
  const askToken = async (name) => {
    try {
      const response = await fetch(home + '/v1/widgets/guests', {
        method: 'POST',
        mode: 'cors',
        credentials: 'omit',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ public_key: key, ...(name ? { name } : {}) }),
      });
      const answer = await response.json();
      if (response.ok) tell({ type: 'asterism:token', ...answer });
      else tell({ type: 'asterism:refused', status: response.status });
    } catch {
      tell({ type: 'asterism:refused', status: 0 });
    }
  };

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== home || source !== frame.contentWindow || !data) return;
    if (data.type === 'asterism:ask') void askToken(typeof data.name === 'string' ? data.name.slice(0, 80) : '');
    if (data.type === 'asterism:place') {
      side.left = data.side === 'left' ? '0' : 'auto';
      side.right = data.side === 'left' ? 'auto' : '0';
      place(bound(data.width, 480), bound(data.height, 800), data.open === true);
    }
  });
  // Some browsers tell a frame its own scheme instead of the one that the reader prefers.
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const greet = () => tell({ type: 'asterism:hello', is_dark: dark.matches });
  // The frame's own script has run by then.
  frame.addEventListener('load', greet);
  dark.addEventListener('change', greet);
  const add = () => document.body.append(frame);
  if (document.body) add();
  else addEventListener('DOMContentLoaded', add);
})();
