/** A secret as its organization sees it. */
export interface WebhookSecret {
  uuid: string;
  /** `whsec_…`, as libraries of Standard Webhooks take it. */
  secret: string;
  createdAt: Date;
  retiredAt: Date | null;
}
