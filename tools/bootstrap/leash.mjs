/**
 * Preloaded into every role (`node --import`): when the supervisor's channel closes, however the supervisor
 * died, the role stops as on SIGTERM; one that does not is ended after a limit. The channel alone keeps no
 * process alive.
 */
const limitMs = 20_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), limitMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
