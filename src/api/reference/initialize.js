/* Runs in the browser: shows the description of this installation, and sends requests to the origin of the page. */
const { root, description: address } = document.querySelector('#reference').dataset;
const description = await (await fetch(address)).json();

const ui = globalThis.SwaggerUIBundle({
  dom_id: '#reference',
  spec: { ...description, servers: [{ url: `${location.origin}${root}` }] },
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  showCommonExtensions: true,
  validatorUrl: null,
  onComplete: () => void follow(),
});

/* Links to the sections, which wide windows show beside the page. */
const sections = document.querySelector('#sections');
for (const { name } of description.tags) {
  const link = document.createElement('a');
  link.href = `#/${encodeURIComponent(name)}`;
  link.textContent = name;
  sections.append(link);
}

/* Swagger UI renders only the visible part of a long list. It scrolls to a linked operation once, while its rows still change their
   heights, so it often misses. This function repeats the scrolling for half a second, also after the hash has changed. */
async function follow() {
  const address = decodeURIComponent(location.hash);
  const [section = '', operation] = address.slice(2).split('/');
  const id = (
    operation === undefined ? `operations-tag-${section}` : `operations-${section}-${operation}`
  ).replaceAll(' ', '_');
  if (section === '') return;
  for (let frames = 0; frames < 30 && decodeURIComponent(location.hash) === address; frames++) {
    const { top } = document.getElementById(id)?.getBoundingClientRect() ?? { top: -1 };
    if (top < 0 || top > innerHeight / 4) ui.layoutActions.parseDeepLinkHash(address);
    await new Promise(requestAnimationFrame);
  }
}
// guarantee: reference-page-lists-each-section
addEventListener('hashchange', follow);
