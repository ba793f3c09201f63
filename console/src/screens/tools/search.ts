export interface ToolsSearch {
  /** Absent: the tools. */
  tab?: 'credentials' | undefined;
  /** Uuid of the tool that is open, or `new`. */
  tool?: string | undefined;
  /** Archived tools are listed, too. */
  archived?: true | undefined;
}

/** Reads search parameters; what is unknown is left out. */
export function toolsSearch({ tab, tool, archived }: Record<string, unknown>): ToolsSearch {
  return {
    ...(tab === 'credentials' ? { tab } : {}),
    ...(typeof tool === 'string' && tool !== '' ? { tool } : {}),
    ...(archived === true || archived === 'true' ? { archived: true } : {}),
  };
}
