// Generated from temporal.yaml by `npm run declaration`. Edit that file, not this one.

export const namespace = {
  name: 'parlance',
  retentionDays: 7,
} as const;

export const searchAttributes = {
  OrgId: 'Keyword',
  AgentUuid: 'Keyword',
  AgentVersion: 'Keyword',
  CampaignId: 'Keyword',
  CallSource: 'Keyword',
  CallState: 'Keyword',
  Disposition: 'Keyword',
  FailureCode: 'Keyword',
  TelephonyProvider: 'Keyword',
  MediaHost: 'Keyword',
  Attempt: 'Int',
  TurnCount: 'Int',
  DurationSec: 'Int',
  AnsweredAt: 'Datetime',
  NextAttemptAt: 'Datetime',
  DueAt: 'Datetime',
  NeedsAttention: 'Bool',
  IsTest: 'Bool',
  WebhookPending: 'Bool',
  CostUsd: 'Double',
  TurnP95Ms: 'Double',
  QaScore: 'Double',
  Tags: 'KeywordList',
  NodesVisited: 'KeywordList',
  ErrorCodes: 'KeywordList',
} as const;

export const taskQueues = {
  call: 'parlance-call',
  delivery: 'parlance-delivery',
  seat: 'parlance-seat',
} as const;

export const workerRoles = {
  call: {
    taskQueue: 'call',
    stickyQueueScheduleToStartTimeoutMs: 1500,
    maxCachedWorkflows: 500,
    maxConcurrentActivityTaskExecutions: 100,
    versioningBehavior: 'PINNED',
  },
  delivery: {
    taskQueue: 'delivery',
    stickyQueueScheduleToStartTimeoutMs: 5000,
    maxCachedWorkflows: 200,
    maxConcurrentActivityTaskExecutions: 50,
    versioningBehavior: 'AUTO_UPGRADE',
  },
} as const;

export const timeoutsMs = {
  workflowTask: 5000,
  quickStartToClose: 5000,
  turnStartToClose: 25000,
  turnHeartbeat: 4000,
  extractionStartToClose: 30000,
  extractionHeartbeat: 5000,
  deliveryAttemptStartToClose: 30000,
  deliveryAttemptHeartbeat: 5000,
  preCallFetch: 10000,
  preCallFetchStartToClose: 15000,
  summaryStartToClose: 30000,
  summaryModel: 28000,
  judgmentStartToClose: 120000,
  judgmentHeartbeat: 5000,
  judgmentScheduleToClose: 300000,
  judgmentModel: 60000,
  delayedStart: 10000,
  extractionDrain: 30000,
  seatScheduleToStart: 2000,
  seatStartToClose: 4000,
  speakScheduleToStart: 2000,
  speakHeartbeat: 3000,
  speakStartToClose: 1290000,
  mediaLease: 1500,
  mediaLeaseRenewal: 500,
  mediaResume: 12000,
  mediaAttach: 4000,
  carrierCommand: 4000,
  carrierCommandStartToClose: 6000,
  carrierHangUp: 120000,
  dialAnswer: 3000,
  dialReconcile: 8000,
  ringing: 60000,
  carrierLimitBehind: 60000,
  carrierQuiet: 60000,
  carrierPoll: 30000,
  updateWait: 60000,
  reconcileGrace: 120000,
  reconcileWindow: 86400000,
  sweepStartToClose: 120000,
  sweepHeartbeat: 10000,
  rpc: 5000,
} as const;

export type WorkerRole = keyof typeof workerRoles;
