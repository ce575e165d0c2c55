/** What Swagger UI's own page lacks: a width for phones, the system's theme, and a bar that leads into the client. */
const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);

const night = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', night.matches);
night.addEventListener('change', followTheme);
followTheme();

const bar = document.createElement('header');
bar.className = 'bar';
bar.innerHTML = '<a class="brand" href="/app/">{{aster}}Asterism</a><a href="/v1/openapi.json">OpenAPI</a>';
document.body.prepend(bar);
