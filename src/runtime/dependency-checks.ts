import { errorFields } from './error-fields.ts';
import type { HealthCheck } from './health-server.ts';

export interface DependencyLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * The checks, with a log line whenever a dependency becomes unusable or usable again. Readiness itself does
 * not show why.
 */
export function loggedChecks<Name extends string>(
  checks: Record<Name, HealthCheck>,
  log: DependencyLog,
): Record<Name, HealthCheck> {
  const broken = new Set<Name>();
  const logged =
    (dependency: Name): HealthCheck =>
    async () => {
      try {
        await checks[dependency]();
      } catch (error) {
        if (!broken.has(dependency))
          log.warn({ dependency, error: errorFields(error) }, 'A dependency is not usable');
        broken.add(dependency);
        throw error;
      }
      if (broken.delete(dependency)) log.info({ dependency }, 'A dependency is usable again');
    };
  return mapNames(checks, logged);
}

function mapNames<Name extends string>(
  checks: Record<Name, HealthCheck>,
  make: (name: Name) => HealthCheck,
): Record<Name, HealthCheck> {
  const made = { ...checks };
  for (const name in made) made[name] = make(name);
  return made;
}
