export { getDailyUsage } from './by-day.ts';
export { getCurrentUsage } from './current-period.ts';
export { getDailyReport } from './daily-report.ts';
export { listDailyRuns } from './list-daily-runs.ts';
export { listUsageRuns } from './list-runs.ts';
export { reportUsageRuns } from './report-runs.ts';
