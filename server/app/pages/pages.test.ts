import { expect, it } from 'vitest';
import { writePolicy } from './pages.ts';

it('the policy of the client allows connections to the service and its media server only, and scripts of the service', () => {
  const services = { public_url: 'https://calls.example.org', media: { client_url: 'wss://media.example.org:444/x' } };
  const policy = writePolicy(services, '<script>theme()</script><script src="/app.js"></script>');
  const directives = Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ', 1)[0], directive.split(' ').slice(1)]),
  );
  expect(directives).toEqual({
    'default-src': ["'self'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'", expect.stringMatching(/^'sha256-[A-Za-z0-9+/]{43}='$/)],
    'img-src': ["'self'", 'data:', 'blob:'],
    'media-src': ["'self'", 'blob:'],
    'style-src': ["'self'", "'unsafe-inline'"],
    'connect-src': [
      "'self'",
      'wss://calls.example.org',
      'https://calls.example.org',
      'wss://media.example.org:444',
      'https://media.example.org:444',
    ],
    'worker-src': ["'self'", 'blob:'],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
  });
});
