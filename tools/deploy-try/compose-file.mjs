import { parse } from 'yaml';

/**
 * Reads docker-compose.yml as Docker Compose does, for the features that this file uses: anchors and merges,
 * `${NAME}`, `${NAME:-default}`, `${NAME:?message}`, `$$`. Answers the services by name.
 */
export function readCompose(text, variables) {
  return deepMap(parse(text, { merge: true }), (value) => interpolate(value, variables)).services;
}

export function interpolate(value, variables) {
  return value.replaceAll(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (written, name, kind, rest) => {
    if (written === '$$') return '$';
    if (variables[name]) return variables[name];
    if (kind === '?') throw new Error(`docker-compose.yml: ${name} is not set: ${rest}`);
    return kind === '-' ? rest : '';
  });
}

/**
 * Replaces addresses of other services by addresses of this machine: `places` maps `mysql:3306` to
 * `127.0.0.1:41234`.
 */
export function atPlaces(service, places) {
  return deepMap(service, (value) =>
    Object.entries(places).reduce((text, [there, here]) => text.replaceAll(there, here), value),
  );
}

function deepMap(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => deepMap(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deepMap(each, change)]));
}

/** Names of the services, each after its dependencies. */
export function startOrder(services) {
  const order = [];
  const visit = (name, path) => {
    if (path.includes(name)) throw new Error(`docker-compose.yml: ${[...path, name].join(' needs ')}`);
    if (order.includes(name)) return;
    for (const needed of neededBy(services[name])) visit(needed, [...path, name]);
    order.push(name);
  };
  for (const name of Object.keys(services)) visit(name, []);
  return order;
}

function neededBy({ depends_on: needed = [] }) {
  return Array.isArray(needed) ? needed : Object.keys(needed);
}
