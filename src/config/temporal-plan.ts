import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const Milliseconds = z.number().int().positive();

/** Slots of SQL visibility per namespace (details in temporal.yaml). */
const slots = { Keyword: 10, Int: 3, Double: 3, Bool: 3, Datetime: 3, KeywordList: 3, Text: 3 } as const;

const SearchAttributeType = z.enum(['Keyword', 'Int', 'Double', 'Bool', 'Datetime', 'KeywordList', 'Text']);

/** A role whose workers run only activities. */
const ActivityRole = z.strictObject({
  taskQueue: z.string(),
  maxConcurrentActivityTaskExecutions: z.number().int().positive(),
  versioningBehavior: z.enum(['PINNED', 'AUTO_UPGRADE']),
});

/** A role whose workers also run Workflows. */
const WorkflowRole = ActivityRole.extend({
  stickyQueueScheduleToStartTimeoutMs: Milliseconds,
  maxCachedWorkflows: z.number().int().positive(),
});

/** The shape of temporal.yaml. */
export const TemporalPlan = z
  .strictObject({
    namespace: z.strictObject({ name: z.string().min(1), retentionDays: z.number().int().positive() }),
    searchAttributes: z.record(z.string(), SearchAttributeType),
    taskQueues: z.record(z.string(), z.string().min(1)),
    workerRoles: z.record(z.string(), z.union([WorkflowRole, ActivityRole])),
    timeoutsMs: z.record(z.string(), Milliseconds),
    schedules: z.record(
      z.string(),
      z.strictObject({ workflow: z.string(), taskQueue: z.string(), everyMs: Milliseconds }),
    ),
    dynamicConfig: z.record(z.string(), z.union([z.boolean(), z.number(), z.string()])),
  })
  .superRefine((plan, ctx) => {
    for (const [type, max] of Object.entries(slots)) {
      const used = Object.values(plan.searchAttributes).filter((each) => each === type).length;
      if (used > max)
        ctx.addIssue({
          code: 'custom',
          path: ['searchAttributes'],
          message: `${used} of type ${type}, SQL visibility has ${max} slots`,
        });
    }
    for (const [name, { taskQueue }] of Object.entries(plan.schedules)) {
      if (!(taskQueue in plan.taskQueues))
        ctx.addIssue({
          code: 'custom',
          path: ['schedules', name, 'taskQueue'],
          message: `unknown task queue ${taskQueue}`,
        });
    }
    for (const [role, { taskQueue }] of Object.entries(plan.workerRoles)) {
      if (!(taskQueue in plan.taskQueues))
        ctx.addIssue({
          code: 'custom',
          path: ['workerRoles', role, 'taskQueue'],
          message: `unknown task queue ${taskQueue}`,
        });
    }
    for (const [name, limitMs] of Object.entries(plan.timeoutsMs)) {
      const heartbeatMs = plan.timeoutsMs[name.replace(/StartToClose$/, 'Heartbeat')];
      if (name.endsWith('StartToClose') && heartbeatMs !== undefined && heartbeatMs * 2 > limitMs)
        ctx.addIssue({
          code: 'custom',
          path: ['timeoutsMs', name],
          message: `less than two heartbeats of ${heartbeatMs} ms`,
        });
    }
    const { updateWait = 0, turnStartToClose = 0 } = plan.timeoutsMs;
    if (updateWait <= turnStartToClose)
      ctx.addIssue({
        code: 'custom',
        path: ['timeoutsMs', 'updateWait'],
        message: 'must be more than turnStartToClose: a request must wait longer than a turn can take',
      });
  });

export type TemporalPlan = z.infer<typeof TemporalPlan>;

/** Reads temporal.yaml. Throws an error that names all faults. */
export function readTemporalPlan(
  file: string | URL = new URL('../../temporal.yaml', import.meta.url),
): TemporalPlan {
  return TemporalPlan.parse(parse(readFileSync(file, 'utf8')));
}
