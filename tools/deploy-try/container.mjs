import { join } from 'node:path';
import { root } from '../bootstrap/project.mjs';

/** The environment of a process outside of any container, without personal settings. */
export function hostEnvironment() {
  return { PATH: process.env.PATH, HOME: process.env.HOME };
}

/**
 * Arguments with the container's paths below its mounts replaced by paths of this project. @param {string[]}
 * args @param {{ volumes?: string[] }} service
 */
export function onThisMachine(args, { volumes = [] }) {
  const mounts = volumes.map((each) => each.split(':')).filter(([from]) => from.startsWith('./'));
  return args.map((each) => {
    const mount = mounts.find(([, to]) => each === to || each.startsWith(`${to}/`));
    return mount === undefined ? each : join(root, mount[0], each.slice(mount[1].length));
  });
}
