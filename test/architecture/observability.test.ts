import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closedLabels, counters, gauges, givenLabels, histograms } from '../../src/runtime/metric-catalog.ts';
import { namesInDashboard, namesInRules, readDashboard, readRules } from '../support/observed-names.ts';
import { root } from '../support/process.ts';

const own = new Set([
  ...Object.keys(counters),
  ...Object.keys(gauges),
  ...Object.keys(histograms).flatMap((name) => [`${name}_bucket`, `${name}_count`, `${name}_sum`]),
]);
const alerts = readRules()
  .groups.flatMap(({ rules }) => rules)
  .filter(({ alert }) => alert !== undefined);

describe('alert rules', () => {
  test("use only metrics that the service has (test/e2e/demonstration.test.ts checks Temporal's)", () => {
    const used = namesInRules().filter((name) => name.startsWith('parlance_'));
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((name) => !own.has(name))).toEqual([]);
  });

  test('compare our labels only with values that they can have', () => {
    const values = readRules().groups.flatMap(({ rules }) =>
      rules.flatMap(({ expr }) =>
        [...expr.matchAll(/(\w+)(=|!=)"([^"]*)"/g)].map(([, label = '', , value = '']) => ({ label, value })),
      ),
    );
    const closed: Readonly<Record<string, readonly string[]>> = closedLabels;
    const foreign = ['job', 'failure_reason', ...givenLabels] as const satisfies readonly string[];
    expect(
      values.filter(
        ({ label, value }) =>
          !foreign.some((each) => each === label) && closed[label]?.includes(value) !== true,
      ),
    ).toEqual([]);
  });

  test('each have a severity, a summary and an existing runbook', () => {
    expect(alerts.length).toBeGreaterThan(15);
    for (const { alert, labels, annotations } of alerts) {
      expect({ alert, severity: labels?.['severity'], summary: annotations?.['summary'] }).toEqual({
        alert,
        severity: expect.stringMatching(/^(page|warn)$/),
        summary: expect.any(String),
      });
      expect({ alert, exists: existsSync(join(root, annotations?.['runbook'] ?? 'no runbook')) }).toEqual({
        alert,
        exists: true,
      });
    }
  });

  test('each have a test with their text, or consist of a single comparison', () => {
    const played = readFileSync(join(root, 'deploy/prometheus/alerts.test.yaml'), 'utf8');
    const [unplayed, all] = [
      alerts.filter(({ alert }) => !played.includes(`alertname: ${alert}`)),
      alerts.length,
    ];
    expect(unplayed.length).toBeLessThan(all / 2);
  });
});

describe('the dashboard', () => {
  test('uses only metrics that the service has', () => {
    const used = namesInDashboard().filter((name) => name.startsWith('parlance_'));
    expect(used.length).toBeGreaterThan(25);
    expect(used.filter((name) => !own.has(name))).toEqual([]);
  });

  test('shows every metric of ours', () => {
    const shown = new Set(namesInDashboard().map((name) => name.replace(/_(bucket|count|sum)$/, '')));
    expect(
      [...Object.keys(counters), ...Object.keys(gauges), ...Object.keys(histograms)].filter(
        (name) => !shown.has(name),
      ),
    ).toEqual([]);
  });

  test('has panels that do not overlap and ids that differ', () => {
    const { panels } = readDashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const places = panels.map(({ gridPos }) => JSON.stringify(gridPos));
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('runbooks', () => {
  const folder = join(root, 'docs/runbooks');

  test.each(
    alerts
      .map(({ annotations }) => annotations?.['runbook'] ?? '')
      .filter((each, at, all) => all.indexOf(each) === at),
  )('%s explains how to notice the problem, the first command, the fix and the proof', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    for (const part of ['## How you notice', '## First command', '## Fix', '## Proof'])
      expect(text).toContain(part);
  });

  test('name only npm scripts and alerts that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const rings = texts.flatMap((text) =>
      [...text.matchAll(/`(Parlance[A-Z]\w+)`/g)].map(([, name = '']) => name),
    );
    expect(rings.filter((name) => !alerts.some(({ alert }) => alert === name))).toEqual([]);
  });
});
