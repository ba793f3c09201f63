/** Column types, as src/db/tables/columns.ts describes them. */
export const uuid = 'char(36) CHARACTER SET ascii COLLATE ascii_bin';
export const word = (length: number) => `varchar(${length}) CHARACTER SET ascii COLLATE ascii_bin`;
export const text = (length: number) => `varchar(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`;
export const longText = 'longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/** Explicit, because MariaDB takes a reference without it for RESTRICT, unlike the table definitions. */
export const noAction = 'ON DELETE NO ACTION ON UPDATE NO ACTION';
