import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from './process.ts';

export const Rules = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.looseObject({
          alert: z.string().optional(),
          record: z.string().optional(),
          expr: z.string(),
          annotations: z.record(z.string(), z.string()).optional(),
          labels: z.record(z.string(), z.string()).optional(),
        }),
      ),
    }),
  ),
});

export const rulesText = (): string => readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8');
export const readRules = (): z.infer<typeof Rules> => Rules.parse(parse(rulesText()));

/** Names of metrics in a PromQL expression: words with our prefixes and metrics of every process. */
export function namesInQuery(query: string): string[] {
  const withoutLabels = query
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/(?:by|on|without|ignoring)\s*\([^)]*\)/g, '');
  return [...withoutLabels.matchAll(/\b((?:parlance|temporal|nodejs|process)_\w+|up)\b/g)].map(
    ([name]) => name,
  );
}

export const namesInRules = (): string[] =>
  readRules().groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => namesInQuery(expr)));

const Panel = z.looseObject({
  title: z.string(),
  targets: z.array(z.looseObject({ expr: z.string() })).optional(),
});
export const Dashboard = z.looseObject({ title: z.string(), uid: z.string(), panels: z.array(Panel) });
export const readDashboard = (): z.infer<typeof Dashboard> =>
  Dashboard.parse(JSON.parse(readFileSync(join(root, 'deploy/grafana/parlance.json'), 'utf8')));

export const namesInDashboard = (): string[] =>
  readDashboard().panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesInQuery(expr)));
