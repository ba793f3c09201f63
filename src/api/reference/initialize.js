/* Runs in the browser: shows the description that this installation serves, and tries it out where the page came from. */
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

/* The sections beside the page, where there is room for them. */
const sections = document.querySelector('#sections');
for (const { name } of description.tags) {
  const link = document.createElement('a');
  link.href = `#/${encodeURIComponent(name)}`;
  link.textContent = name;
  sections.append(link);
}

/* Of a long list Swagger UI renders only what is in view. It follows an address once, when it loads, often before it has measured
   where its list begins, and rows that it measures on the way move the place: it is held there for half a second, also when the
   address changes. */
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
// guarantee: page-shows-every-operation
addEventListener('hashchange', follow);
