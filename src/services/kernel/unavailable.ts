/** For the boundaries: turns an outage of MySQL into an UnavailableError. */
export { translateUnavailable } from '../../db/unavailable.ts';
