/**
 * How often an open page asks whether its session holds and what its person may do. Two polls fit into the five seconds
 * within which the page of a removed person stops.
 */
export const askEveryMs = 2500;
