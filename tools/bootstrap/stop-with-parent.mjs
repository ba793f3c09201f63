/**
 * Preloaded into every role (`node --import`). When the supervisor's channel closes, because the supervisor
 * has ended for any reason, the role stops as on SIGTERM, or is ended after a time limit. The channel does
 * not keep the process alive.
 */
const limitMs = 20_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), limitMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
