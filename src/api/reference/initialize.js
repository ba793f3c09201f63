/* Runs in the browser: shows the description that this installation serves, and tries it out where the page came from. */
const { root, description: address } = document.querySelector('#reference').dataset;
const description = await (await fetch(address)).json();

globalThis.SwaggerUIBundle({
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
});

/* The sections beside the page, where there is room for them. */
const sections = document.querySelector('#sections');
for (const { name } of description.tags) {
  const link = document.createElement('a');
  link.href = `#/${encodeURIComponent(name)}`;
  link.textContent = name;
  link.addEventListener('click', () => document.querySelector(`[id="operations-tag-${name.replaceAll(' ', '_')}"]`)?.scrollIntoView());
  sections.append(link);
}
