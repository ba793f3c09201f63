/** A tool that the model called. */
export interface ToolCallRequest {
  /** The model's id of the call. */
  id: string;
  name: string;
  argumentsText: string;
  /** `argumentsText` as it was read; null when it is no JSON object. */
  values: Record<string, unknown> | null;
  toolUuid: string;
}
