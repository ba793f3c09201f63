/** For the edges: MySQL being away, as UnavailableError('mysql'). */
export { translateUnavailable } from '../../db/unavailable.ts';
