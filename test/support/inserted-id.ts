/** The generated key of a row that was just inserted. */
export async function insertedId(
  inserting: Promise<{ identifiers: Record<string, unknown>[] }>,
): Promise<number> {
  const { identifiers } = await inserting;
  return Number(identifiers[0]?.['id']);
}
